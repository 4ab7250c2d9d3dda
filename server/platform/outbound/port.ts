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

/**
 * Calls addresses that others chose: over http and https, and never one inside the network that the service is in.
 * A name is looked up once, and what was looked up is what is called. Redirections are answers like any other.
 */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  close(): void
}
