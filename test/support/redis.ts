import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { needs } from './needs.ts'
import { freePort } from './postgres-server.ts'

export const hasRedis = needs('Redis (redis-server)', spawnSync('redis-server', ['--version']).status === 0)

/** A real Redis, on loopback and where else it is told, that keeps nothing; CI installs the program, elsewhere it may be missing. */
export async function startRedis(alsoOn: string[] = []) {
  const port = await freePort()
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      ...alsoOn,
      '--protected-mode',
      'no',
      '--save',
      '',
      '--appendonly',
      'no',
      '--databases',
      '1000',
    ],
    {
      stdio: 'ignore',
    },
  )
  const url = `redis://127.0.0.1:${port}`
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => {})
  await client.connect().catch(() => {})
  while ((await client.ping().catch(() => '')) !== 'PONG') await sleep(20)
  return {
    url,
    clear: () => client.flushall(),
    async stop() {
      client.disconnect()
      server.kill('SIGKILL')
      await new Promise((resolve) => server.once('exit', resolve))
    },
  }
}
