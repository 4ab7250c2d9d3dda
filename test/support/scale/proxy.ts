import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How an operator puts haproxy before processes of Marquee: by readiness, one after another. */
const configuration = (port: number, backends: number[], checkMs: number) => `
global
  maxconn 4000
defaults
  mode http
  option forwardfor
  option redispatch
  retries 3
  timeout connect 5s
  timeout client 120s
  timeout server 120s
  timeout check 10s
frontend public
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  http-response set-header x-served-by %s
  default-server check inter ${checkMs} fall 1 rise 1
${backends.map((backend, i) => `  server api${i + 1} 127.0.0.1:${backend}`).join('\n')}
`

/** haproxy on a port, before others; it answers once one of them is ready. */
export async function startProxy(port: number, backends: number[], { checkMs = 2000 } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-haproxy-'))
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, backends, checkMs))
  const proxy = spawn('haproxy', ['-db', '-f', file], {
    stdio: 'ignore',
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  const ended = new Promise<void>((resolve) => proxy.once('exit', () => resolve()))
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (proxy.exitCode === null && !(await isReady())) await sleep(50)
  if (proxy.exitCode !== null) throw new Error(`haproxy ended with ${proxy.exitCode}`)
  return {
    async stop() {
      proxy.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
