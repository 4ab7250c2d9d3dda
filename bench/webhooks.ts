import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '../server/platform/postgres/client.ts'
import { embeddedSocket } from '../server/platform/postgres/embedded.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'

const MESSAGES = 10_000
const ROUNDS = 5
/** Of both: as many as the service calls one endpoint with at once. */
const AT_ONCE = 16

/**
 * Deliveries a second to a receiver on this machine, from the outbox to their record, beside plain `fetch` of the same
 * bodies to the same receiver, as many at once as the service has under way. `fetch` keeps no record, signs nothing,
 * and runs in the receiver's process.
 */
export async function run(): Promise<void> {
  let taken = 0
  let last = ''
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      last = body
      taken++
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const service = await startService({ MARQUEE_OUTBOUND_NETWORKS: '127.0.0.0/8', MARQUEE_LOG_LEVEL: 'warn' })
  const { org_id, project_id, api_key } = service.quickstart
  const made = await fetch(`${service.url}/organizations/${org_id}/webhooks/v1`, {
    method: 'POST',
    headers: { 'x-api-key': api_key, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id, url }),
  })
  if (made.status !== 201) throw new Error(await made.text())
  const sql = connect({ socket: embeddedSocket(service.dataDir) }, { max: 2 })
  print(
    `webhooks: ${MESSAGES} messages to a local receiver, median of ${ROUNDS} rounds, in turn, ${AT_ONCE} requests at once`,
  )

  async function delivered(round: number): Promise<number> {
    const before = taken
    const start = performance.now()
    await sql`
      insert into webhook_outbox (org_id, project_id, kind, resource, data)
      select ${org_id}, ${project_id}, 'image.deleted', 'img_' || ${round}::int || '_' || i,
        jsonb_build_object('project_id', ${project_id}::text, 'image_id', 'img_' || i)
      from generate_series(1, ${MESSAGES}::int) i`
    for (;;) {
      const [left] = await sql<{ waiting: boolean }[]>`
        select exists (select from webhook_outbox)
          or exists (select from webhook_deliveries where state = 'pending') as waiting`
      if (!left!.waiting && taken >= before + MESSAGES) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return MESSAGES / ((performance.now() - start) / 1000)
  }

  async function fetched(): Promise<number> {
    const start = performance.now()
    let sent = 0
    const one = async () => {
      while (sent < MESSAGES) {
        sent++
        await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: last })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    return MESSAGES / ((performance.now() - start) / 1000)
  }

  await delivered(0)
  const seen: { deliveries: number; fetches: number }[] = []
  for (let round = 1; round <= ROUNDS; round++)
    seen.push({ deliveries: await delivered(round), fetches: await fetched() })
  const deliveries = median(seen.map((one) => one.deliveries))
  const fetches = median(seen.map((one) => one.fetches))
  print(`  ${Math.round(deliveries)} deliveries/s, plain fetch ${Math.round(fetches)} requests/s`)
  const ratios = seen.map((one) => one.deliveries / one.fetches)
  line('ratio, median of the rounds', median(ratios), { atLeast: 0.5 })
  await sql.end()
  await service.stop()
  receiver.closeAllConnections()
  receiver.close()
}
