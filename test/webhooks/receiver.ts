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
  // The library refuses what is older than five minutes: what was verified once is not verified again.
  const verified = new Map<string, WeakMap<object, Told>>()
  const heard = (): Told[] => {
    const known = verified.get(secret) ?? new WeakMap<object, Told>()
    verified.set(secret, known)
    // One that was cut off by a kill has not been told.
    const whole = server.heard.filter(({ isWhole }) => isWhole)
    return whole.map((one) => {
      const { headers, body } = one
      const told = known.get(one) ?? {
        id: String(headers['webhook-id']),
        ...(new Webhook(secret).verify(body, headers as Record<string, string>) as Omit<Told, 'id'>),
      }
      known.set(one, told)
      return told
    })
  }
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
