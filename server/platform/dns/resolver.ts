import { Resolver } from 'node:dns/promises'
import { DnsUnavailable } from './errors.ts'
import type { Dns } from './port.ts'

/** The name is not there, or has no such record, or is none that could be asked for. */
const NONE = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/** By these servers, or, where none are given, by those that the system uses. */
export function dnsResolver(servers: string[]): Dns {
  const resolver = new Resolver({ timeout: 2000, tries: 2, maxTimeout: 2000 })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async texts(name) {
      try {
        // A long text comes in pieces of 255 bytes.
        return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException
        if (NONE.includes(code)) return []
        throw new DnsUnavailable(message, { cause: error })
      }
    },
  }
}
