import type { IncomingMessage } from 'node:http'
import { newIdSuffix } from '../base/ids.ts'

const ACCEPTED = /^[\w.:-]{1,128}$/

/** The client's own request id where it sent a sensible one, else a new one. */
export function requestId(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && ACCEPTED.test(given) ? given : newRequestId()
}

export function newRequestId(): string {
  return `req_${newIdSuffix()}`
}
