import path from 'node:path'
import type { ClientConfig } from 'pg'

export type PostgresAddress = { url: string } | { socket: string }

const SOCKET = /^\.s\.PGSQL\.(\d+)$/
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c client_encoding=UTF8'
const NAME = `marquee ${process.pid}`

/** How to connect to a database: one way, or several, of which the first that the server knows is taken. */
export function waysTo(address: PostgresAddress): ClientConfig[] {
  if ('url' in address) return waysToUrl(address.url)
  const { dir, base } = path.parse(address.socket)
  const account = { user: 'marquee', database: 'postgres', application_name: NAME, options: SESSION }
  return [{ host: dir, port: Number(SOCKET.exec(base)![1]), ssl: false, ...account }]
}

function waysToUrl(text: string): ClientConfig[] {
  const url = new URL(text)
  const { searchParams: given } = url
  given.set('options', `${given.get('options') ?? ''} ${SESSION}`.trim())
  if (!given.has('application_name')) given.set('application_name', NAME)
  // What `sslmode` means is what it means to PostgreSQL's own programs.
  if (!given.has('uselibpqcompat')) given.set('uselibpqcompat', 'true')
  const isEither = given.get('sslmode') === 'prefer' || given.get('sslmode') === 'allow'
  return (isEither ? ['prefer', 'disable'] : [undefined]).map((mode) => {
    if (mode) given.set('sslmode', mode)
    return { connectionString: url.href }
  })
}
