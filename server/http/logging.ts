import type { FastifyServerOptions } from 'fastify'
import type { App } from './types.ts'

/**
 * JSON lines on stderr. A line about a request never holds its headers, its query or its body, so a
 * secret has no way in; the redaction below is for whatever somebody logs by hand.
 */
export function loggerOptions(level: string): FastifyServerOptions['logger'] {
  const secrets = [
    'authorization',
    '["x-api-key"]',
    'password',
    'secret',
    'api_key',
    'access_token',
    'refresh_token',
  ]
  const dotted = (name: string) => (name.startsWith('[') ? name : `.${name}`)
  return {
    level,
    stream: process.stderr,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: {
      paths: secrets.flatMap((name) => [name, `*${dotted(name)}`, `*.*${dotted(name)}`]),
      censor: '[redacted]',
    },
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        message: error.message,
        code: error.code,
        stack: error.stack ?? '',
      }),
    },
  }
}

/** One line for each request, when it is answered. */
export function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        caller: request.caller?.id,
      },
      'request',
    )
  })
}
