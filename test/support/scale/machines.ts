import { execFileSync, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { standBetween } from '../go-between.ts'
import { needs } from '../needs.ts'

export interface Machine {
  address: string
  /** What a command is begun with to run there. */
  within: string[]
  /** Pulls the cable out: what is on its way is lost, and nobody is told. */
  cutOff(): void
  reconnect(): void
  /** Loses on the way what it says to this address, what it would hear from there, or both, and tells nobody; until `heal`. */
  lose(address: string, which: Lost): void
  heal(): void
}

/** Said: what a machine says to another. Heard: what comes from there. */
export type Lost = readonly ('said' | 'heard')[]

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })

const probe = `mqprobe${process.pid}`

export const canHaveMachines = needs(
  'network namespaces (ip, as root)',
  spawnSync('ip', ['netns', 'add', probe]).status === 0 &&
    spawnSync('ip', ['netns', 'delete', probe]).status === 0,
)

/** As `startMachines`, until the test ends. */
export function machinesForTest(count: number) {
  const machines = startMachines(count)
  onTestFinished(machines.remove)
  return machines
}

/** Machines with a network of their own between them and this one, as Linux has them: name spaces on a bridge. */
export function startMachines(count: number) {
  const number = randomInt(4096)
  const [bridge, subnet] = [`mq${number}`, `10.${200 + (number >> 8)}.${number & 255}`]
  const here = `${subnet}.1`
  const made: string[] = []
  const closings: (() => void)[] = []
  function remove() {
    for (const close of closings) close()
    // A space that is deleted lives on for as long as a connection in it, and its cable with it.
    for (const i of made.keys()) ip('link', 'delete', `${bridge}c${i}`)
    for (const name of made) ip('netns', 'delete', name)
    ip('link', 'delete', bridge)
  }
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
    // Its own addresses are looked up second, so that there is a place for rules before.
    ip('-n', name, 'rule', 'add', 'priority', '2', 'lookup', 'local')
    ip('-n', name, 'rule', 'delete', 'priority', '0')
    const losing: string[][] = []
    return {
      address,
      within: ['ip', 'netns', 'exec', name],
      cutOff: () => ip('link', 'set', cable, 'down'),
      reconnect: () => ip('link', 'set', cable, 'up'),
      lose(other, which) {
        for (const one of which) {
          const rule = ['priority', '1', one === 'said' ? 'to' : 'from', other, 'blackhole']
          ip('-n', name, 'rule', 'add', ...rule)
          losing.push(rule)
        }
      },
      heal() {
        for (const rule of losing.splice(0)) ip('-n', name, 'rule', 'delete', ...rule)
      },
    }
  })
  let engines = 0
  /** One more address of this machine on their network, by which an engine can be told from others. */
  const ownAddress = () => {
    const address = `${subnet}.${100 + engines++}`
    ip('address', 'add', `${address}/24`, 'dev', bridge)
    return address
  }
  /** An address on loopback, as those machines reach it. */
  const reached = async (address: string, host = here) => {
    const url = new URL(address)
    const target = { host: url.hostname, port: Number(url.port) }
    const { port, close } = await standBetween({
      target,
      host,
      meet: (client, engine) => client.pipe(engine).pipe(client),
    })
    closings.push(close)
    url.port = String(port)
    url.hostname = host
    return url.href.replace(/\/$/, '')
  }
  return { machines, reached, ownAddress, remove }
}
