import { lookup as lookUp } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AddressNotAllowed } from './errors.ts'
import { isCallable } from './inner-addresses.ts'
import { headersOf, openFile } from './open-file.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from './port.ts'

export interface OutboundOptions {
  /** Inner networks that may be called all the same. */
  allowedNetworks: readonly string[]
  /** How names are looked up; by default as the system does. */
  resolve?: LookupFunction
}

/** For `allowedNetworks`. */
export const EVERYWHERE = ['0.0.0.0/0', '::/0']

/** Connections are kept for a while: what is told to one endpoint is often followed by more. */
const AGENT = { keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: 60_000 }

export function httpOutbound({ allowedNetworks, resolve = lookUp }: OutboundOptions): Outbound {
  const mayCall = isCallable(allowedNetworks)
  const lookup: LookupFunction = (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const addresses = Array.isArray(found) ? found : []
      const refused = addresses.find(({ address }) => !mayCall(address))
      // One inner address among others is enough: which of them is called would be chance.
      if (refused || addresses.length === 0) return done(notAllowed(name), '')
      if (options.all) done(null, addresses)
      else done(null, addresses[0]!.address, addresses[0]!.family)
    })
  const agents = { http: new http.Agent({ ...AGENT, lookup }), https: new https.Agent({ ...AGENT, lookup }) }

  function check(url: string): URL {
    const target = new URL(url)
    if (target.protocol !== 'https:' && target.protocol !== 'http:')
      throw new AddressNotAllowed('only http and https')
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // What is an address already is not looked up.
    if (isIP(host) !== 0 && !mayCall(host)) throw notAllowed(host)
    return target
  }

  function begin({
    url,
    method,
    headers,
    body,
  }: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>): http.ClientRequest {
    const target = check(url)
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const options = { method, headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) } }
    const request =
      target.protocol === 'https:'
        ? https.request(target, { ...options, agent: agents.https })
        : http.request(target, { ...options, agent: agents.http })
    return request.end(bytes)
  }

  return {
    check: (url) => void check(url),
    open: async (file) => openFile(begin({ ...file, method: 'GET' }), file),
    send: (wanted) =>
      new Promise((resolve, reject) => {
        const request = begin(wanted)
        const timer = setTimeout(
          () => request.destroy(new Error(`no answer within ${wanted.timeoutMs / 1000} seconds`)),
          wanted.timeoutMs,
        )
        request.on('error', (error) => {
          clearTimeout(timer)
          reject(error)
        })
        request.on('response', (response) => {
          readAnswer(response, wanted.mostBytes)
            .then(resolve, reject)
            .finally(() => clearTimeout(timer))
        })
      }),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function readAnswer(response: http.IncomingMessage, mostBytes: number): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let read = 0
    const answer = () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        body: Buffer.concat(parts).subarray(0, mostBytes).toString(),
      })
    response.on('data', (part: Buffer) => {
      parts.push(part)
      read += part.length
      if (read <= mostBytes) return
      // The status says what counts; an answer without end must not be waited for.
      answer()
      response.destroy()
    })
    response.on('end', answer)
    response.on('error', reject)
    // After every answer; an error is dear, and needed only for one that has not come whole.
    response.on('close', () => {
      if (!response.complete) reject(new Error('the answer was broken off'))
    })
  })
}

function notAllowed(host: string): AddressNotAllowed {
  return new AddressNotAllowed(
    `${host} is inside a private network; MARQUEE_OUTBOUND_NETWORKS names those that may be called`,
  )
}
