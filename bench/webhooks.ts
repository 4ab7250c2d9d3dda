import { connect } from '../server/platform/postgres/client.ts'
import { embeddedSocket } from '../server/platform/postgres/embedded.ts'
import { line, median, print } from './support/report.ts'
import { end, startScript, startService } from './support/service.ts'

const MESSAGES = 10_000
const ROUNDS = 5
/** Of both: as many as the service calls one endpoint with at once. */
const AT_ONCE = 16

/**
 * Deliveries a second to a receiver on this machine, from the outbox to their record, beside plain `fetch` of the same
 * bodies to the same receiver, as many at once as the service has under way. The receiver is a process of its own for
 * both; `fetch` keeps no record and signs nothing.
 */
export async function run(): Promise<void> {
  const { child, output } = await startScript('bench/support/receiver.ts', [], {}, /port \d+\n/)
  const url = `http://127.0.0.1:${/port (\d+)/.exec(output())![1]}/hook`
  const received = async () => (await (await fetch(url)).json()) as { taken: number; last: string }
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
    const before = (await received()).taken
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
      if (!left!.waiting && (await received()).taken >= before + MESSAGES) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return MESSAGES / ((performance.now() - start) / 1000)
  }

  async function fetched(): Promise<number> {
    const { last } = await received()
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
  await end(child)
}
