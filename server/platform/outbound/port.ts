import type { Readable } from 'node:stream'

/** A request to an address that somebody else chose. */
export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** All of it, from the look-up of the name to the end of the answer. */
  timeoutMs: number
  /** More of an answer's body is not read. */
  mostBytes: number
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A file to be read from such an address. */
export interface OutboundFile {
  url: string
  headers: Record<string, string>
  signal: AbortSignal
  /** The answer has to begin within this, and then to bring more than next to nothing each time that it has passed. */
  silenceMs: number
}

export interface OutboundStream {
  status: number
  headers: Record<string, string>
  /** Has to be read to its end or destroyed. */
  body: Readable
}

/**
 * Calls addresses that others chose: over http and https, and never one inside the network that the service is in.
 * A name is looked up once, and what was looked up is what is called. Redirections are answers like any other.
 */
export interface Outbound {
  /** Throws AddressNotAllowed for an address that is refused by itself, whatever its name may be looked up as. */
  check(url: string): void
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** A GET whose answer is read as it comes, however long it is. */
  open(file: OutboundFile): Promise<OutboundStream>
  close(): void
}
