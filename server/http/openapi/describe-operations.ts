import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import type { OperationConfig } from '../operation.ts'
import { ErrorBody, ref } from '../schemas.ts'
import type { App } from '../types.ts'
import { completeDocument } from './document.ts'

export interface DescribeOptions {
  version: string
  /** Where the public finds the service; files may be sent to and fetched from hosts of their own. */
  addresses: { base: string; upload: string; cdn: string }
}

/** The description that clients are generated from, and a page that shows it. */
export async function describeOperations(app: App, { version, addresses }: DescribeOptions): Promise<void> {
  const configs = new Map<string, OperationConfig>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Marquee',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: addresses.base, description: 'this installation' }],
      tags: TAGS,
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    hideUntagged: true,
    // The base address may have a path of its own, which is no part of the paths below it.
    stripBasePath: false,
    transform: ({ schema, url, route }) => {
      const config = route.config as OperationConfig | undefined
      if (config?.id === undefined) return { schema, url }
      const described = renamed(url, config.pathNames)
      for (const method of [route.method].flat()) configs.set(`${method} ${templateOf(described)}`, config)
      return { schema: describedSchema(schema, config), url: described }
    },
    transformObject: (made) => {
      const document = 'openapiObject' in made ? made.openapiObject : made.swaggerObject
      completeDocument(
        document as never,
        (method, path) => configs.get(`${method.toUpperCase()} ${path}`)!,
        [addresses.upload, addresses.cdn]
          .map((address) => new URL(address))
          .filter(({ origin }) => origin !== addresses.base)
          .map(({ origin, pathname }) => ({ prefix: pathname.replace(/\/+$/, ''), url: origin })),
      )
      return document
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, i) => String(json.$id ?? `schema${i}`) },
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { credential: 'none' } }, async () =>
    app.swagger(),
  )
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      tryItOutEnabled: false,
      persistAuthorization: false,
      // All of them at once are more than anybody reads, and more than the page resolves.
      docExpansion: 'none',
      layout: 'BaseLayout',
    },
    // The page's own script sets styles on its elements; nothing is fetched from elsewhere.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    theme: { title: 'Marquee API' },
  })
}

const DESCRIPTION = [
  'Media hosting, feeds and analytics. Errors are always `{code, error, details?}`.',
  'Fields that an operation does not know are ignored, except by reports and events, which refuse them. A body may repeat values of the path, `video_id` or `videoId`, where they are the same.',
].join('\n\n')

/** In the order in which the page shows them. */
const TAGS = [
  {
    name: 'Videos',
    description: 'Upload, process and change videos, their subtitles, audio tracks and chapters',
  },
  { name: 'Images', description: 'Upload and manage images' },
  { name: 'Library', description: 'Videos and images in one list, and where they are used' },
  { name: 'Feeds', description: 'Collections of posts' },
  { name: 'Posts', description: 'An image or a video with a description and a creator' },
  { name: 'Syndication', description: 'Posts and public feeds as other sites show them' },
  { name: 'Uploads', description: 'The addresses that init operations hand out, and what is under way' },
  { name: 'Delivery', description: 'Media as players and pages fetch it' },
  { name: 'Analytics', description: 'Events in, reports out' },
  { name: 'Projects', description: 'What owns media' },
  { name: 'Tokens', description: 'Sign in and out, and exchange tokens' },
  { name: 'Keys', description: 'API keys of projects' },
  { name: 'Requests', description: 'What was asked of the service in vain' },
  { name: 'Policies', description: 'Permissions, and whom they are given to' },
  { name: 'Members', description: 'People of an organization, and those invited' },
  { name: 'Webhooks', description: 'Addresses that are called when something happens' },
  { name: 'Private media', description: 'Keys and tokens that open what not everybody may see' },
  { name: 'Audit', description: 'Who changed what, from where and when' },
  { name: 'Billing', description: 'Plans, subscriptions and the webhooks that move them' },
  { name: 'Operations', description: 'Health and metrics, for those who run the service' },
]

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', name: 'X-API-Key', in: 'header', description: 'a key of a project' },
  keyInQuery: {
    type: 'apiKey',
    name: 'key',
    in: 'query',
    description: 'a publishable key; for pages that cannot set headers',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'an access token, of the service’s own or of a configured OpenID issuer',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'what `MARQUEE_METRICS_TOKEN` is set to',
  },
} as const

function renamed(url: string, names: Record<string, string>): string {
  let described = url
  for (const [name, other] of Object.entries(names))
    described = described.replace(name === '*' ? /\*$/ : new RegExp(`:${name}(?=/|$)`), `:${other}`)
  return described
}

function templateOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

interface NamedOperation {
  $id?: string
}

/** The schemas of a route as the description wants them. */
function describedSchema(schema: FastifySchema, { errors, pathNames }: OperationConfig): FastifySchema {
  const { body, params } = schema as { body?: NamedOperation; params?: object }
  return {
    ...schema,
    ...(params !== undefined && { params: renamedFields(params, pathNames) }),
    ...(body?.$id !== undefined && { body: { $ref: `${body.$id}#` } }),
    // Refusals are written by one handler for all operations, so only the description needs their schemas.
    response: {
      ...(schema.response as object),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, message]) => [
          status,
          { ...ref(ErrorBody), description: message },
        ]),
      ),
    },
  }
}

function renamedFields(params: object, names: Record<string, string>): object {
  const { properties = {}, required = [] } = params as {
    properties?: Record<string, object>
    required?: string[]
  }
  const nameOf = (name: string) => names[name] ?? name
  return {
    ...params,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [nameOf(name), field])),
    required: required.map(nameOf),
  }
}
