// Loaded before a service (`node --import`): every `await` of the server becomes a place where the process can be
// killed. A request says by its header whether such places are to be written down or which of them is the last.
import diagnostics from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type http from 'node:http'
import module from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { HEADER, type Moment, type Point, RECORDED_IN, readPoint } from './point.ts'
import { withHits } from './rewrite.ts'

const server = path.resolve(import.meta.dirname, '../../../server')

/** From receiving a request to having answered it. */
interface Window {
  target: Point | undefined
  hits: Map<string, number>
}
let window: Window | undefined

function hit(at: string, moment: Moment): void {
  if (!window) return
  const name = `${at} ${moment}`
  const times = (window.hits.get(name) ?? 0) + 1
  window.hits.set(name, times)
  const { target } = window
  if (target?.at === at && target.moment === moment && target.time === times)
    process.kill(process.pid, 'SIGKILL')
}

/** What is awaited has been begun; a moment later it is known how it ended, and nothing has been done with that. */
function awaited(at: string, value: unknown): unknown {
  hit(at, 'begun')
  if (typeof (value as PromiseLike<unknown> | undefined)?.then !== 'function') return value
  return (value as PromiseLike<unknown>).then((result) => {
    hit(at, 'done')
    return result
  })
}

// Children of the service, which are killed with it, have no requests.
if (isMainThread && process.argv[1] === path.join(server, 'start/main.ts')) {
  Object.assign(globalThis, { killPointAwaited: awaited, killPointHit: hit })
  module.registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const file = url.startsWith('file:') ? fileURLToPath(url) : ''
      if (!file.startsWith(server) || !file.endsWith('.ts')) return loaded
      return { ...loaded, source: withHits(path.relative(server, file), String(loaded.source)) }
    },
  })
  diagnostics.subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: http.IncomingMessage; response: http.ServerResponse }
    const wanted = request.headers[HEADER]
    if (typeof wanted !== 'string') return
    const isRecording = wanted === 'record'
    const opened: Window = { target: isRecording ? undefined : readPoint(wanted), hits: new Map() }
    window = opened
    response.once('close', () => {
      window = undefined
      if (isRecording) appendFileSync(process.env[RECORDED_IN]!, `${JSON.stringify([...opened.hits])}\n`)
    })
  })
}
