import { type Logger, type LoggerOptions, pino } from 'pino'
import type { App } from './types.ts'

const SECRETS = [
  'authorization',
  'x-api-key',
  'password',
  'secret',
  'api_key',
  'access_token',
  'refresh_token',
]

/**
 * JSON lines on stderr. A line about a request never holds its headers, its query or its body, so a
 * secret has no way in; the redaction is for whatever somebody logs by hand.
 */
export function createLogger(level: string): {
  logger: Logger
  /** For lines of which every field is known here. */
  plain: Logger
  close: () => void
} {
  // Lines are gathered for a moment and written together: a write for each costs more than the request.
  const destination = pino.destination({ dest: 2, sync: false, minLength: 16_000 })
  const flusher = setInterval(() => destination.flush(), 250)
  flusher.unref()
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `headers["${name}"]`, `body["${name}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: pino.stdSerializers.err },
  }
  return {
    logger: pino(options, destination),
    plain: pino({ ...options, redact: [] }, destination),
    close() {
      clearInterval(flusher)
      destination.flushSync()
    },
  }
}

/** One line for each request, when it is answered. `log`: without redaction, since there is nothing to redact. */
export function logRequests(app: App, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        reqId: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        caller: request.caller?.id,
      },
      'request',
    )
    done()
  })
}
