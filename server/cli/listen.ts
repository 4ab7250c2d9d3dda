import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, type Schemas } from '../../packages/client/src/node.ts'
import { StartupError } from '../base/errors.ts'
import type { MessageId } from '../base/ids.ts'
import { signedHeaders } from '../webhooks/index.ts'
import type { Server } from './command.ts'

export const LISTEN: Server = {
  name: 'webhooks listen',
  about: 'Pass what happens on to an address of this machine, for development',
  options: {
    to: { about: 'Where to post it, such as http://localhost:3000/hook', value: 'address', required: true },
    url: { about: 'The service; MARQUEE_BASE_URL, or the one that was started here', value: 'address' },
    key: { about: 'A secret key; MARQUEE_API_KEY, or that of the first start here', value: 'key' },
    kinds: { about: 'Only these, separated by commas; all where none are named', value: 'kinds' },
    secret: { about: 'What it is signed with; a new one is made and printed', value: 'whsec_…' },
  },
}

export interface Listening {
  url: string
  key: string
  to: string
  kinds: string[]
  secret: string | undefined
  print(line: string): void
  /** Ends it. */
  signal: AbortSignal
}

const POLL_MS = 1000
const PATIENCE_MS = 15_000

/** The service need not reach this machine: what has happened is asked for again and again, and posted from here. */
export async function listen({ url, key, to, kinds, secret, print, signal }: Listening): Promise<void> {
  if (!URL.canParse(to) || !/^https?:/.test(to))
    throw new StartupError(`--to "${to}" is not an address such as http://localhost:3000/hook.`)
  const signWith = secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const client = createClient({ url, apiKey: key })
  let { next_cursor: after } = await client.get('/webhooks/v1/messages', { query: {} })
  print(`Passing on ${kinds.length > 0 ? kinds.join(', ') : 'everything'} that happens to ${to}`)
  print(`Signed with ${signWith}`)
  while (!signal.aborted) {
    const page = await nextPage(client, after, signal)
    if (!page) continue
    after = page.next_cursor
    for (const message of page.data) {
      if (kinds.length > 0 && !kinds.includes(message.type)) continue
      const answer = await pass(message, to, { secret: signWith, signal })
      if (signal.aborted) return
      print(`${message.timestamp}  ${message.type}  ${message.id}  ${answer}`)
    }
    if (page.data.length === 0) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

/** Undefined where the service could not be asked: it may be starting anew. */
async function nextPage(client: Client, after: string, signal: AbortSignal) {
  try {
    return await client.get('/webhooks/v1/messages', { query: { after, limit: 100 }, signal })
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === 401 || status === 403) throw error
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    return undefined
  }
}

/** Posts a message as the service would, and answers what came of it. */
async function pass(
  { id, ...rest }: Schemas['WebhookMessage'],
  to: string,
  { secret, signal }: { secret: string; signal: AbortSignal },
): Promise<string> {
  const body = JSON.stringify(rest)
  const headers = signedHeaders({ id: id as MessageId, at: Date.now(), body, secrets: [secret] })
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    return String(response.status)
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return cause?.code === 'ECONNREFUSED' ? 'nobody listens there' : (cause?.message ?? message)
  }
}
