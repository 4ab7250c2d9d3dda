import path from 'node:path'
import type { ClientConfig } from 'pg'
import { takeEncryption } from './tls.ts'

export type PostgresAddress = { url: string } | { socket: string }

const SOCKET = /^\.s\.PGSQL\.(\d+)$/
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c client_encoding=UTF8'
/**
 * A server that is not told that this machine is gone, its cable pulled out, keeps a transaction and its locks for two hours
 * unless it looks. Half a minute, here; what the address says of it has precedence.
 */
const SOON_GIVEN_UP =
  '-c tcp_user_timeout=30000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4'
const NAME = `marquee ${process.pid}`

/** How to connect to a database: one way, or several, of which the first that the server takes is taken. Throws StartupError. */
export function waysTo(address: PostgresAddress): ClientConfig[] {
  if ('url' in address) return waysToUrl(address.url)
  const { dir, base } = path.parse(address.socket)
  const account = { user: 'marquee', database: 'postgres', application_name: NAME, options: SESSION }
  return [{ host: dir, port: Number(SOCKET.exec(base)![1]), ssl: false, ...account }]
}

function waysToUrl(text: string): ClientConfig[] {
  const url = new URL(text)
  const { searchParams: given } = url
  given.set('options', [SOON_GIVEN_UP, given.get('options'), SESSION].filter(Boolean).join(' '))
  if (!given.has('application_name')) given.set('application_name', NAME)
  const host = given.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, '$1')
  return takeEncryption(given, host).map((ssl) => ({ connectionString: url.href, ssl }))
}
