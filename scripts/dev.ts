import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { loadConfig } from '../server/config/config.ts'

const root = path.dirname(import.meta.dirname)
/** The port that people know from Vite. */
const USUAL_PORT = 5173
/** An editor that saves several files, or one in several steps, is one change. */
const QUIET_MS = 150

const { values } = parseArgs({ options: { console: { type: 'string' } } })
const consoleFolder = path.resolve(values.console ?? path.join(root, 'console'))

/**
 * The service, started again on every change below `server/`, and in front of it the console from its sources: what is changed
 * there is exchanged in the page. Both have one address, as they have where the console is built.
 */
const config = loadConfig(process.env)
const front = http.createServer()
const address = `http://localhost:${await listen(front, USUAL_PORT)}`
const servicePort = config.port || (await freePort())
const environment = {
  ...process.env,
  MARQUEE_PORT: String(servicePort),
  // So that its links, also the one to sign in, lead here.
  MARQUEE_BASE_URL: config.baseUrl ?? address,
}

let service: ChildProcess | undefined
let hasChanged = false
let stopping = false
let restarting = Promise.resolve()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
// Started through a wrapper that is gone: nobody would ever stop this process.
process.once('disconnect', () => void end(0))

const vite = await createServer({
  root: consoleFolder,
  configFile: path.join(consoleFolder, 'vite.config.ts'),
  configLoader: 'native',
  clearScreen: false,
  server: {
    middlewareMode: true,
    hmr: { server: front },
    // The service says itself which pages may call it.
    cors: false,
    fs: { allow: [root, consoleFolder] },
    // Whatever is not the console's own is the service's.
    proxy: { '^/(?!console/)': { target: `http://127.0.0.1:${servicePort}` } },
  },
})
front.on('request', vite.middlewares)
process.stdout.write(`marquee: the console is at ${address}/console/, as ${consoleFolder} has it\n`)
startService()

let timer: NodeJS.Timeout | undefined
watch(path.join(root, 'server'), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    hasChanged = true
    restarting = restarting.then(restart)
  }, QUIET_MS)
})

function startService(): void {
  // The channel closes with this process, however that ends; the service then stops too.
  const child = spawn(process.execPath, [path.join(root, 'server/start/main.ts')], {
    env: environment,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  service = child
  child.once('exit', (code) => {
    if (service !== child) return
    service = undefined
    if (stopping) return
    // What was changed meanwhile may be why. Before that, it has said what is wrong around it.
    if (hasChanged) process.stdout.write('marquee: the service has ended; the next change starts it again\n')
    else void end(code ?? 1)
  })
}

async function restart(): Promise<void> {
  if (stopping) return
  await stopService()
  if (!stopping) startService()
}

async function stopService(): Promise<void> {
  const child = service
  if (!child) return
  service = undefined
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  await exited
}

/** Ends once nothing is left running. */
async function end(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  await restarting
  await stopService()
  front.closeAllConnections()
  front.close()
  process.exit(code)
}

/** On this port, or on any free one. */
async function listen(server: http.Server, port: number): Promise<number> {
  server.listen(port, 'localhost')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listen(server, 0)
  }
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = http.createServer()
  const port = await listen(server, 0)
  await new Promise((resolve) => server.close(resolve))
  return port
}
