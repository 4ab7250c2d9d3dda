import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import type { OperationConfig } from './operation.ts'
import { ErrorBody, ref } from './schemas.ts'
import type { App } from './types.ts'

interface Described {
  requestBody?: { required: boolean }
}

/** The description that clients are generated from, and a page that shows it. */
export async function describeOperations(app: App, version: string): Promise<void> {
  const withOptionalBody = new Set<string>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Marquee',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // The order in which the page shows them.
      tags: [
        'Videos',
        'Images',
        'Feeds',
        'Posts',
        'Uploads',
        'Delivery',
        'Analytics',
        'Projects',
        'Tokens',
        'Keys',
        'Policies',
        'Members',
        'Billing',
        'Operations',
      ].map((name) => ({ name })),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', name: 'X-API-Key', in: 'header' },
          keyInQuery: {
            type: 'apiKey',
            name: 'key',
            in: 'query',
            description: 'a publishable key; for pages that cannot set headers',
          },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const operationId = operationIdOf([route.method].flat()[0]!, route.url)
      if (route.config?.optionalBody) withOptionalBody.add(operationId)
      return { schema: { operationId, ...withRefusals(schema, route.config) }, url }
    },
    // What belongs to one method of a route that has several, and what the plugin decides by itself.
    transformObject: (made) => {
      const document = 'openapiObject' in made ? made.openapiObject : made.swaggerObject
      for (const [url, methods] of Object.entries(document.paths ?? {}))
        for (const [method, operation] of Object.entries(methods as Record<string, Described>)) {
          const operationId = operationIdOf(method, url)
          if (withOptionalBody.has(operationId)) operation.requestBody!.required = false
          // One object for all methods of a route; each has an id of its own.
          Object.assign(methods!, { [method]: { ...operation, operationId } })
        }
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
      docExpansion: 'list',
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

/** `GET /organizations/:org_id/api-keys/v1` as `getOrganizationsOrgIdApiKeysV1`: a name for generated clients. */
function operationIdOf(method: string, url: string): string {
  const words = url
    .replace('*', 'rest')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

/** Refusals are written by one handler for all operations, so only the description needs their schemas. */
function withRefusals(schema: FastifySchema, config: Partial<OperationConfig> | undefined): FastifySchema {
  const refusals = Object.entries(config?.errors ?? {}).map(([status, message]) => [
    status,
    { ...ref(ErrorBody), description: message },
  ])
  return { ...schema, response: { ...(schema?.response as object), ...Object.fromEntries(refusals) } }
}
