import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../server/platform/postgres/client.ts'
import { startPostgres } from '../support/postgres.ts'
import { discard, emptyDataDir, failingStart } from '../support/service.ts'

let folder: string
const file = (name: string) => path.join(folder, name)

/** A root, and a certificate by it for the server at 127.0.0.1, which is also called `here`. */
function makeAuthority(name: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`)
  openssl(
    ...['req', '-x509', ...key, '-subj', '/CN=here', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:here'],
    ...['-CA', `${name}.crt`, '-CAkey', `${name}.key`, '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', `${name}-server.key`, '-out', `${name}-server.crt`],
  )
}

let encrypted: Awaited<ReturnType<typeof startPostgres>>
let plain: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-tls-'))
  makeAuthority('root')
  makeAuthority('other')
  encrypted = await startPostgres({
    access: 'hostssl all all 127.0.0.1/32 trust',
    settings: ['ssl=on'],
    files: {
      'server.crt': readFileSync(file('root-server.crt')),
      'server.key': readFileSync(file('root-server.key')),
    },
    query: '?sslmode=require',
  })
  plain = await startPostgres()
})
afterAll(async () => {
  await encrypted?.stop()
  await plain?.stop()
  rmSync(folder, { recursive: true })
})

function clientOf(server: { url: string }, query: string) {
  const url = new URL(server.url)
  url.search = query
  const sql = connect({ url: url.href }, { max: 2 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

const IS_ENCRYPTED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
async function isEncrypted(server: { url: string }, query: string): Promise<boolean> {
  const [row] = await clientOf(server, query).unsafe<{ ssl: boolean }[]>(IS_ENCRYPTED)
  return row!.ssl
}

test('require encrypts every kind of connection', async () => {
  const sql = clientOf(encrypted, 'sslmode=require')
  expect(await sql.unsafe(IS_ENCRYPTED)).toEqual([{ ssl: true }])
  expect(await sql.begin((tx) => tx.unsafe(IS_ENCRYPTED))).toEqual([{ ssl: true }])
  const heard = Promise.withResolvers<string>()
  await sql.listen('tls', heard.resolve)
  await sql.notify('tls', 'hello')
  expect(await heard.promise).toBe('hello')
  // One for each kind, and not one of them plain.
  const all = await sql<{ ssl: boolean }[]>`
    select ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where application_name = current_setting('application_name')`
  expect(all.length).toBeGreaterThanOrEqual(3)
  expect(all.every(({ ssl }) => ssl)).toBe(true)
})

test('what is not said is prefer, and ssl=true is require', async () => {
  for (const query of ['', 'sslmode=prefer', 'sslmode=allow', 'ssl=true'])
    expect([query, await isEncrypted(encrypted, query)]).toEqual([query, true])
  for (const query of ['', 'sslmode=prefer', 'sslmode=allow', 'sslmode=disable'])
    expect([query, await isEncrypted(plain, query)]).toEqual([query, false])
  await expect(isEncrypted(plain, 'sslmode=require')).rejects.toThrow('does not support SSL')
})

test('a root is heeded, and a name with verify-full', async () => {
  const root = `sslrootcert=${file('root.crt')}`
  const other = `sslrootcert=${file('other.crt')}`
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    expect(await isEncrypted(encrypted, `sslmode=${mode}&${root}`)).toBe(true)
    await expect(isEncrypted(encrypted, `sslmode=${mode}&${other}`)).rejects.toThrow(/certificate/)
  }
  await expect(isEncrypted(encrypted, 'sslmode=verify-full')).rejects.toThrow(/certificate/)
  await expect(isEncrypted(encrypted, 'sslmode=verify-full&sslrootcert=system')).rejects.toThrow(
    /certificate/,
  )
  // By a name that resolves, but is not in the certificate.
  const byName = { url: encrypted.url.replace('127.0.0.1', 'localhost') }
  expect(await isEncrypted(byName, `sslmode=verify-ca&${root}`)).toBe(true)
  await expect(isEncrypted(byName, `sslmode=verify-full&${root}`)).rejects.toThrow(
    /does not match certificate/,
  )
})

test.each([
  [
    'sslmode=disable',
    /refuses the connection: no pg_hba.conf entry .+ no encryption\. Check MARQUEE_DATABASE_URL\.$/,
  ],
  [
    'sslmode=verify-full&sslrootcert=OTHER',
    /cannot be reached: .*certificate.*\. Check MARQUEE_DATABASE_URL\.$/,
  ],
  ['sslmode=no-verify', /MARQUEE_DATABASE_URL: sslmode is one of disable, .+, not "no-verify"\.$/],
  ['sslmode=verify-ca', /MARQUEE_DATABASE_URL: sslmode=verify-ca needs sslrootcert\.$/],
  ['sslmode=require&sslrootcert=system', /sslrootcert=system goes with sslmode=verify-full only/],
  ['sslmode=verify-full&sslrootcert=/nowhere', /MARQUEE_DATABASE_URL: sslrootcert: ENOENT.+\/nowhere/],
  ['sslmode=require&sslcert=/nowhere', /MARQUEE_DATABASE_URL: sslcert and sslkey go together\.$/],
  ['sslmode=require&sslcrl=/nowhere', /MARQUEE_DATABASE_URL: sslcrl is not supported\./],
])('a start with %s ends with one clear line', async (query, line) => {
  const dataDir = emptyDataDir()
  const url = new URL(encrypted.url)
  url.search = query.replace('OTHER', file('other.crt'))
  const { code, lines } = await failingStart(dataDir, { MARQUEE_DATABASE_URL: url.href })
  expect([code, lines]).toEqual([1, [expect.stringMatching(line)]])
  discard(dataDir)
})
