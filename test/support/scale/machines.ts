import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { goBetween } from '../go-between.ts'

export interface Machine {
  address: string
  /** What a command is begun with to run there. */
  within: string[]
  /** Pulls the cable out: what is on its way is lost, and nobody is told. */
  cutOff(): void
  reconnect(): void
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** Machines with a network of their own between them and this one, as Linux has them: name spaces on a bridge. */
export function machinesForTest(count: number) {
  const number = randomInt(4096)
  const [bridge, subnet] = [`mq${number}`, `10.${200 + (number >> 8)}.${number & 255}`]
  const here = `${subnet}.1`
  const made: string[] = []
  onTestFinished(() => {
    for (const name of made) ip('netns', 'delete', name)
    ip('link', 'delete', bridge)
  })
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('address', 'add', `${here}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')

  const machines = Array.from({ length: count }, (_, i): Machine => {
    const [name, cable, address] = [`${bridge}-${i}`, `${bridge}c${i}`, `${subnet}.${i + 10}`]
    ip('netns', 'add', name)
    made.push(name)
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', cable, 'master', bridge, 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
    return {
      address,
      within: ['ip', 'netns', 'exec', name],
      cutOff: () => ip('link', 'set', cable, 'down'),
      reconnect: () => ip('link', 'set', cable, 'up'),
    }
  })
  /** An address on loopback, as those machines reach it. */
  const reached = async (address: string) => {
    const url = new URL(address)
    const target = { host: url.hostname, port: Number(url.port) }
    const { port } = await goBetween({
      target,
      host: here,
      meet: (client, engine) => client.pipe(engine).pipe(client),
    })
    url.port = String(port)
    url.hostname = here
    return url.href.replace(/\/$/, '')
  }
  return { machines, reached }
}
