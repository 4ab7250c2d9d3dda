import { createHmac } from 'node:crypto'
import path from 'node:path'
import { Client } from 'pg'
import { connect, type Sql } from '../server/platform/postgres/client.ts'
import { embeddedSocket } from '../server/platform/postgres/embedded.ts'
import { type Posted, postAll } from './support/post-all.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'

const ORGANIZATIONS = 1000
/** Of the service to its database, and of the bare inserts by `pg` to the same: on each, one after the other. */
const DATABASE_CONNECTIONS = 10
/** Webhooks under way at once: providers send what has gathered in bursts. */
const AT_ONCE = 128
/** Short and many: what else the machine does then meets both alike. */
const ROUNDS = 15
const SECONDS = 1
/** Until the service is as fast as it gets. */
const ROUNDS_TO_WARM_UP = 8
/** Inserts a second that no machine reaches with so many connections. */
const MOST_INSERTS = 10_000

const KEY = Buffer.from('the provider signs with this key')
const PLANS = ['pro', 'pay_as_you_go', 'custom', 'free']

/** Webhooks acknowledged a second beside the bare inserts of the same rows, each with a commit of its own. */
export async function run(): Promise<void> {
  const service = await startService({
    MARQUEE_BILLING_SECRETS: `payments=whsec_${KEY.toString('base64')}`,
    MARQUEE_DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS),
    MARQUEE_LIMIT_WEBHOOKS_PER_MINUTE: '0',
    MARQUEE_LOG_LEVEL: 'warn',
  })
  const sql = connect({ socket: embeddedSocket(service.dataDir) }, { max: DATABASE_CONNECTIONS })
  await prepare(sql)
  const bare = await Promise.all(
    Array.from({ length: DATABASE_CONNECTIONS }, () => connectBare(service.dataDir)),
  )
  print(
    `billing: ${AT_ONCE} webhooks at once, ${DATABASE_CONNECTIONS} connections to the database, median of ${ROUNDS} rounds of ${SECONDS} s each, in turn`,
  )
  const seen: { webhooks: number; inserts: number; ratio: number }[] = []
  for (let round = 0; round < ROUNDS_TO_WARM_UP + ROUNDS; round++) {
    const webhooks = await acknowledged(`${service.url}/billing/webhooks/payments`, sql)
    const inserts = await inserted(bare)
    if (round >= ROUNDS_TO_WARM_UP) seen.push({ webhooks, inserts, ratio: webhooks / inserts })
  }
  const middle = (which: keyof (typeof seen)[number]) => median(seen.map((round) => round[which]))
  print(
    `  subscription events: ${Math.round(middle('webhooks'))} webhooks/s, bare ${Math.round(middle('inserts'))} inserts/s`,
  )
  line('ratio, median of the rounds', middle('ratio'), { atLeast: 0.5 })
  await Promise.all([sql.end(), ...bare.map((client) => client.end())])
  await service.stop()
}

async function prepare(sql: Sql): Promise<void> {
  await sql`
    insert into organizations (id, name) select 'org_' || lpad(i::text, 26, '0'), 'Organization ' || i
    from generate_series(0, ${ORGANIZATIONS - 1}::int) i`
  await sql`create table bare_events (like billing_events including all)`
  await sql`analyze organizations`
}

let made = 0

/** As a provider would send it: a change of plan of one of the organizations. */
function newWebhook(): Posted & { id: string } {
  const id = `msg_${made++}`
  const at = Math.floor(Date.now() / 1000)
  const data = {
    org_id: `org_${String(made % ORGANIZATIONS).padStart(26, '0')}`,
    plan: PLANS[Math.floor(made / ORGANIZATIONS) % PLANS.length],
    status: 'active',
    period_start: '2026-11-01T00:00:00Z',
    period_end: '2026-12-01T00:00:00Z',
  }
  const body = JSON.stringify({ type: 'subscription.updated', timestamp: new Date().toISOString(), data })
  const signature = `v1,${createHmac('sha256', KEY).update(`${id}.${at}.${body}`).digest('base64')}`
  return {
    id,
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signature,
    },
  }
}

/** Webhooks answered with 200 a second; each is found in the database afterwards. */
async function acknowledged(url: string, sql: Sql): Promise<number> {
  const before = await countOf(sql)
  const { rate, taken } = await postAll(url, {
    connections: AT_ONCE,
    seconds: SECONDS,
    make: (count) => Array.from({ length: count }, newWebhook),
  })
  const stored = (await countOf(sql)) - before
  if (stored < taken) throw new Error(`${taken} were acknowledged and ${stored} stored`)
  return rate
}

async function countOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from billing_events`
  return row!.count
}

/** The driver itself, without anything of ours around it. */
async function connectBare(dataDir: string): Promise<Client> {
  const host = path.dirname(embeddedSocket(dataDir))
  const client = new Client({ host, user: 'marquee', database: 'postgres' })
  await client.connect()
  return client
}

const INSERT = {
  name: 'bare_insert',
  text: `insert into bare_events (provider, id, scheme, type, occurred_at, rank, subscription, change, body)
    values ('payments', $1, 'standard-webhooks', $2, $3, 1, $4, $5, $6)`,
}

/** The rows that the service stores, into a table of the same shape with the same indexes. */
async function inserted(clients: Client[]): Promise<number> {
  const rows = Array.from({ length: MOST_INSERTS * SECONDS }, () => {
    const { id, body } = newWebhook()
    const { type, timestamp, data } = JSON.parse(body)
    return [id, type, timestamp, data.org_id, JSON.stringify({ kind: 'updated', ...data }), Buffer.from(body)]
  })
  const start = performance.now()
  let count = 0
  async function insertInto(client: Client): Promise<void> {
    while (performance.now() - start < SECONDS * 1000)
      await client.query({ ...INSERT, values: rows[count++]! })
  }
  await Promise.all(clients.map(insertInto))
  return count / ((performance.now() - start) / 1000)
}
