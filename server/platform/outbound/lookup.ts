import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/** Looks names up by these servers; undefined where there are none, and the system does it. */
export function lookupBy(servers: string[]): LookupFunction | undefined {
  if (servers.length === 0) return undefined
  const resolver = new Resolver({ timeout: 2000, tries: 2, maxTimeout: 2000 })
  resolver.setServers(servers)
  return (name, _options, done) => {
    // RFC 6761: no server is asked for it.
    if (/(^|\.)localhost$/i.test(name)) return done(null, [{ address: '127.0.0.1', family: 4 }])
    Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]).then(([four, six]) => {
      const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
      if (found.length === 0 && four.status === 'rejected') done(four.reason, '')
      else done(null, found)
    })
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
