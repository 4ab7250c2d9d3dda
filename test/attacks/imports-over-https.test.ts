import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { fileServer } from '../support/file-server.ts'
import { emptyDataDir, serviceForTest } from '../support/service.ts'

/** An authority that the service is told to believe, and servers with certificates of its own. */
function authority() {
  const folder = emptyDataDir()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-subj', '/CN=An authority', '-keyout', 'ca.key', '-out', 'ca.crt')
  function certificateFor(name: string) {
    const [key, request, certificate] = ['key', 'csr', 'crt'].map((ending) => `${name}.${ending}`) as [
      string,
      string,
      string,
    ]
    const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
    openssl('req', ...newKey, ...about, '-keyout', key, '-out', request)
    const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy']
    openssl('x509', '-req', '-in', request, ...by, '-out', certificate)
    return { key: readFileSync(path.join(folder, key)), cert: readFileSync(path.join(folder, certificate)) }
  }
  return { certificate: path.join(folder, 'ca.crt'), certificateFor }
}

async function httpsServer(
  host: string,
  certificate: { key: Buffer; cert: Buffer },
  answer: (url: string) => { location: string } | { body: Buffer },
) {
  const asked: string[] = []
  const server = https.createServer(certificate, (request, response) => {
    asked.push(request.url!)
    const found = answer(request.url!)
    if ('location' in found) response.writeHead(302, found).end()
    else response.writeHead(200, { 'content-length': found.body.length }).end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

test('https is imported from where its certificate is good, and each redirection to it is checked', async () => {
  const photo = await scene(320, 200).jpeg().toBuffer()
  const { certificate, certificateFor } = authority()
  const dns = await startDnsServer()
  dns.addresses.set('good.test', [['127.0.0.2']])
  dns.addresses.set('other.test', [['127.0.0.2']])
  dns.addresses.set('inside.test', [['127.0.0.1']])
  const inside = await httpsServer('127.0.0.1', certificateFor('inside.test'), () => ({ body: photo }))
  const good = await httpsServer('127.0.0.2', certificateFor('good.test'), (url) => {
    if (url === '/to-http') return { location: `${plain.url}/to-https` }
    if (url === '/inside') return { location: `https://inside.test:${inside.port}/photo.jpg` }
    if (url === '/loopback') return { location: `https://127.0.0.1:${inside.port}/photo.jpg` }
    return { body: photo }
  })
  const at = (name: string) => `https://${name}:${good.port}`
  const plain = await fileServer((request, response) => {
    const [, to] = /^\/to-(.+)$/.exec(request.url!)!
    const places: Record<string, string> = {
      https: `${at('good.test')}/photo.jpg`,
      other: `${at('other.test')}/photo.jpg`,
      inside: `https://inside.test:${inside.port}/photo.jpg`,
    }
    response.writeHead(301, { location: places[to!] }).end()
  })
  const { api } = await serviceForTest({
    env: {
      MARQUEE_OUTBOUND_NETWORKS: '127.0.0.2/32',
      MARQUEE_DNS_SERVERS: dns.address,
      MARQUEE_IMPORT_SILENCE: '2',
      MARQUEE_IMPORT_TRY: '1',
      NODE_EXTRA_CA_CERTS: certificate,
    },
  })
  const isInside = /is inside a private network/
  const expected: [url: string, reason: RegExp | undefined][] = [
    [`${at('good.test')}/photo.jpg`, undefined],
    [`${plain.url}/to-https`, undefined],
    // From https to http and back again.
    [`${at('good.test')}/to-http`, undefined],
    [`${at('other.test')}/photo.jpg`, /^the certificate of its server is not valid/],
    [`${plain.url}/to-other`, /^the certificate of its server is not valid/],
    [`${at('good.test')}/inside`, isInside],
    [`${at('good.test')}/loopback`, isInside],
    [`${plain.url}/to-inside`, isInside],
    [`https://inside.test:${inside.port}/photo.jpg`, isInside],
  ]
  const begun = []
  for (const [url, reason] of expected) {
    const { status, body } = await api.post('/images/import', { url })
    expect(status, url).toBe(202)
    begun.push({ url, reason, path: `/images/${body.image_id}/progress` as const })
  }
  for (const { url, reason, path } of begun) {
    const progress = async () => (await api.get(path)).body
    await expect
      .poll(async () => (await progress()).status, { timeout: 30_000 })
      .toBe(reason ? 'failed' : 'complete')
    if (reason) expect((await progress()).reason, url).toMatch(reason)
  }
  expect(inside.asked).toEqual([])
})
