import { type Logger, pino } from 'pino'
import type { App } from './types.ts'

const SECRETS = [
  'authorization',
  'x-api-key',
  'password',
  'secret',
  'api_key',
  'access_token',
  'refresh_token',
  'cookie',
  'set-cookie',
  'token',
  'link',
]

/** Takes whole lines, each with its line feed. */
export interface Lines {
  write(line: string): void
}

/**
 * JSON lines on stderr. A line about a request never holds its headers, its query or its body, so a
 * secret has no way in; the redaction is for whatever somebody logs by hand.
 */
export function createLogger(level: string): { logger: Logger; lines: Lines; close: () => void } {
  const { lines, close } = gatherLines()
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${timeText()}"`,
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `headers["${name}"]`, `body["${name}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: pino.stdSerializers.err },
  }
  return { logger: pino(options, lines), lines, close }
}

const ENOUGH = 100

/** Lines are gathered for a moment and written together: a write for each costs more than the request. */
function gatherLines(): { lines: Lines; close: () => void } {
  const destination = pino.destination({ dest: 2, sync: false })
  let gathered: string[] = []
  const flush = () => {
    if (gathered.length === 0) return
    destination.write(gathered.join(''))
    gathered = []
  }
  const flusher = setInterval(flush, 250)
  flusher.unref()
  const close = () => {
    clearInterval(flusher)
    process.off('exit', close)
    flush()
    destination.flushSync()
  }
  process.on('exit', close)
  const write = (line: string) => {
    if (gathered.push(line) >= ENOUGH) flush()
  }
  return { lines: { write }, close }
}

export interface Answered {
  id: string
  method: string
  url: string
  status: number
  ms: number
  caller?: string
}

export type LogAnswered = (answered: Answered) => void

/** What was refused before the app heard of it; of what was no HTTP neither method nor address is known. */
export interface Unheard {
  id: string
  status: number
  method?: string
  url?: string
  /** The parser's name for what is wrong. */
  reason?: string
}

export type LogUnheard = (unheard: Unheard) => void

export function logUnheard(logger: Logger): LogUnheard {
  return ({ id: reqId, url, ...rest }) =>
    logger.info({ reqId, path: url?.split('?', 1)[0], ...rest }, 'request not heard')
}

/** One line for each request, when it is answered, in the form of the logger's own. */
export function logRequests(app: App, { logger, lines }: { logger: Logger; lines: Lines }): LogAnswered {
  if (!logger.isLevelEnabled('info')) return () => {}
  const level = logger.levels.values.info
  // Written out here: the logger takes as long for it as the rest of a small request.
  const log = ({ id, method, url, status, ms, caller }: Answered) =>
    lines.write(
      `{"level":${level},"time":"${timeText()}","pid":${process.pid},"reqId":"${id}",` +
        `"method":"${method}","path":${JSON.stringify(url.split('?', 1)[0])},"status":${status},` +
        `"ms":${Math.round(ms * 10) / 10}${caller ? `,"caller":"${caller}"` : ''},"msg":"request"}\n`,
    )
  app.addHook('onResponse', ({ id, method, url, caller }, { statusCode, elapsedTime }, done) => {
    log({ id, method, url, status: statusCode, ms: elapsedTime, caller: caller?.id })
    done()
  })
  return log
}

let lastTime = 0
let lastText = ''

/** The time now; many lines are of the same millisecond. */
function timeText(): string {
  const now = Date.now()
  if (now !== lastTime) {
    lastTime = now
    lastText = new Date(now).toISOString()
  }
  return lastText
}
