import { type Client, createClient, MarqueeError } from '@marquee/client'
import { QueryClient } from '@tanstack/react-query'
import { fetchSignedIn } from './session/session.ts'

const clients = new Map<string, Client>()

/** Calls of whoever is signed in; with a project, about what is in it. */
export function clientOf(projectId = ''): Client {
  const known = clients.get(projectId)
  if (known) return known
  const client = createClient({ fetch: fetchSignedIn, ...(projectId && { projectId }), retries: 2 })
  clients.set(projectId, client)
  return client
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The client has tried again where that makes sense.
      retry: false,
      refetchOnWindowFocus: true,
    },
  },
})

/** An answer to a call that is no operation of the client, such as for media; a refusal is thrown as the client throws it. */
export async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked
  if (response.ok) return response
  const { status, statusText, headers } = response
  const { error, details } = await response.json().catch(() => ({ error: statusText }))
  const requestId = headers.get('x-request-id') ?? undefined
  throw new MarqueeError({ status, error, details, requestId })
}

/** The service's own words for what went wrong. */
export function messageOf(error: unknown): string {
  if (error instanceof MarqueeError) return error.details ?? error.error
  return error instanceof Error ? error.message : String(error)
}

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof MarqueeError ? error.requestId : undefined
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof MarqueeError && error.status === status
