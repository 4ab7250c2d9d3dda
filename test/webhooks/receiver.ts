import { Webhook } from 'standardwebhooks'
import type { Api } from '../support/api.ts'
import { scriptedServer } from '../support/scripted-server.ts'

/** A service that may call this machine, and does not wait long before it tries again. */
export const TELLS_LOOPBACK = {
  MARQUEE_OUTBOUND_NETWORKS: '127.0.0.0/8',
  MARQUEE_WEBHOOK_FIRST_PAUSE: '1',
  MARQUEE_WEBHOOK_TIMEOUT: '2',
}

export interface Told {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** An endpoint that is registered, and hears what it is told; each by the library that the scheme has itself. */
export async function receiverOf(
  { api, orgId, projectId }: { api: Api; orgId: string; projectId: string },
  steps: Parameters<typeof scriptedServer>,
  more: object = {},
) {
  const server = await scriptedServer(...steps)
  const base = `/organizations/${orgId}/webhooks/v1`
  const made = await api.post(base, { project_id: projectId, url: `${server.url}/hook`, ...more })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const { webhook } = made.body
  let { secret } = webhook
  const heard = (): Told[] =>
    server.heard.map(({ headers, body }) => ({
      id: String(headers['webhook-id']),
      ...(new Webhook(secret).verify(body, headers as Record<string, string>) as Omit<Told, 'id'>),
    }))
  return {
    ...server,
    path: `${base}/${webhook.id}`,
    webhook,
    told: heard,
    useSecret(other: string) {
      secret = other
    },
  }
}
