import type { FastifySchema } from 'fastify'

/** Of addresses without a query, of which every part is as the operation wants it. */
export function routePattern(url: string, schema: FastifySchema | undefined): RegExp {
  const { properties } = schema!.params as { properties: Record<string, { pattern: string }> }
  const part = (name: string) => properties[name]!.pattern.replaceAll(/^\^|\$$/g, '')
  return new RegExp(`^${url.replaceAll(/:(\w+)/g, (_, name: string) => `(?<${name}>${part(name)})`)}$`)
}
