import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '../support/report.ts'

/** An nginx that serves these bytes from disk, much as its package sets it up; undefined where there is none. */
export async function startNginx(file: { name: string; content: Buffer }) {
  if (!hasNginx() && !installNginx()) return undefined
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-nginx-'))
  writeFileSync(path.join(folder, file.name), file.content)
  const port = await freePort()
  const config = path.join(folder, 'nginx.conf')
  writeFileSync(config, configOf(folder, port))
  const child = spawn('nginx', ['-c', config, '-e', path.join(folder, 'error.log')], { stdio: 'ignore' })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}/${file.name}`
  for (let tries = 0; tries < 100 && !(await answers(url)); tries++) await sleep(50)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0
}

function installNginx(): boolean {
  if (process.getuid!() !== 0) {
    print('  skipped: nginx is missing. Install nginx-light, then run this again.')
    return false
  }
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light'], { stdio: 'ignore' })
  return true
}

function configOf(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
${process.getuid!() === 0 ? 'user root;' : ''}
worker_processes auto;
pid ${folder}/nginx.pid;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  access_log off;
  types { image/avif avif; video/mp4 mp4; }
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${folder};
  }
}
`
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  )
}
