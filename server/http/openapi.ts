import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import type { OperationConfig } from './operation.ts'
import { ErrorBody, ref } from './schemas.ts'
import type { App } from './types.ts'

/** The description that clients are generated from, and a page that shows it. */
export async function describeOperations(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Marquee',
        version,
        description: 'Media hosting, feeds and analytics. Errors are always `{code, error, details?}`.',
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
    transform: ({ schema, url, route }) => ({
      schema: { operationId: operationIdOf(route), ...withRefusals(schema, route.config) },
      url,
    }),
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

/** `GET /organizations/:org_id/api-keys/v1` as `getOrganizationsOrgIdApiKeysV1`: a name for generated clients. */
function operationIdOf({ method, url }: { method: string | string[]; url: string }): string {
  const words = url.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return (
    [method].flat()[0]!.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  )
}

/** Refusals are written by one handler for all operations, so only the description needs their schemas. */
function withRefusals(schema: FastifySchema, config: Partial<OperationConfig> | undefined): FastifySchema {
  const refusals = Object.entries(config?.errors ?? {}).map(([status, message]) => [
    status,
    { ...ref(ErrorBody), description: message },
  ])
  return { ...schema, response: { ...(schema?.response as object), ...Object.fromEntries(refusals) } }
}
