import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import type { Dns } from '../../platform/dns/port.ts'
import { dnsResolver } from '../../platform/dns/resolver.ts'

export function openDns({ dnsServers }: Config): Dns {
  try {
    return dnsResolver(dnsServers)
  } catch {
    throw new StartupError('MARQUEE_DNS_SERVERS: give addresses such as 192.0.2.53 or 192.0.2.53:5353.')
  }
}
