import { copyFileSync } from 'node:fs'
import os from 'node:os'
import { eventsFile, fillEvents, fillViews, requestOf } from './support/many-events.ts'
import { announce, compareRates } from './support/rates.ts'
import { line, median, print } from './support/report.ts'
import { end, memoryOfTree, startScript, startService } from './support/service.ts'

const CONNECTIONS = 64
const ROUNDS = 7
const ROUNDS_TO_WARM_UP = 4
const SENT_EVERY_MS = 100
const EVENTS_A_REQUEST = 100
const UNLIMITED = { MARQUEE_LIMIT_EVENTS_PER_MINUTE: '0', MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }

type Service = Awaited<ReturnType<typeof startService>>

const FUNNEL = {
  steps: [
    { name: 'opened', event_type: 'session_start' },
    { name: 'began a video', event_type: 'content_view', filters: { view_type: 'start' } },
    { name: 'saw its end', event_type: 'content_view', filters: { view_type: 'end' } },
  ],
  time_window: 168,
}

/** Events in, and reports out of millions of them. */
export async function run(): Promise<void> {
  await compareTaking()
  const small = await timeReports(1_000_000)
  const large = await timeReports(10_000_000)
  line('a funnel of three steps over ten million beside the scan', large.funnel / large.scan, { atMost: 3 })
  line('top videos over ten million beside the scan', large.top / large.scan, { atMost: 2 })
  const film = await timeHeat(200_000)
  line('a heatmap of 200,000 views beside the scan', film.heatmap / film.scan, { atMost: 2 })
  line('hot segments of 200,000 views beside the scan', film.hot / film.scan, { atMost: 2 })
  print('analytics: ten times as many events take')
  for (const [name, time] of Object.entries(large))
    print(`  ${name}: ${(time / small[name as keyof typeof small]).toFixed(1)} times as long`)
}

async function compareTaking(): Promise<void> {
  const service = await startService(UNLIMITED)
  const { child, output } = await startScript('bench/baselines/validate-only.ts', [], {}, /port \d+\n/)
  const baseline = `http://127.0.0.1:${/\d+/.exec(output())![0]}`
  announce('analytics', CONNECTIONS)
  for (const [events, atLeast] of [
    [EVENTS_A_REQUEST, 0.5],
    [1, 0.3],
  ] as const)
    await compareRates(
      `${service.url}/analytics/v1/events`,
      { name: 'parsed, validated and thrown away', url: baseline },
      {
        what: `${events} event${events > 1 ? 's' : ''} a request, on the disk`,
        method: 'POST',
        headers: { 'x-api-key': service.quickstart.api_key, 'content-type': 'application/json' },
        body: requestOf(events),
        connections: CONNECTIONS,
        atLeast,
        remark: (rate) => ` (${Math.round(rate * events)} events/s)`,
      },
    )
  await end(child)
  await service.stop()
}

function timeReports(count: number) {
  print(
    `analytics: reports over ${count} events, while ${(1000 / SENT_EVERY_MS) * EVENTS_A_REQUEST} a second come in`,
  )
  return timeAgainstScan('users', async (file, scope, ask) => {
    await fillEvents(file, scope, count)
    return {
      funnel: () => ask('POST', '/analytics/v1/funnels', FUNNEL),
      top: () => ask('GET', '/analytics/v1/top/videos?limit=10'),
    }
  })
}

function timeHeat(count: number) {
  print(`analytics: ${count} views of one film`)
  return timeAgainstScan('segments', async (file, scope, ask) => {
    const video = await fillViews(file, scope, count)
    return {
      heatmap: () => ask('GET', `/analytics/v1/videos/${video}/heatmap`),
      hot: () => ask('GET', `/analytics/v1/videos/${video}/hot-segments`),
    }
  })
}

type Ask = ReturnType<typeof askerOf>
type Scope = { orgId: string; projectId: string }

/** Fills a service's database, and times reports beside a bare scan of the same. Milliseconds of each, medians. */
async function timeAgainstScan<Name extends string>(
  scan: 'users' | 'segments',
  fill: (file: string, scope: Scope, ask: Ask) => Promise<Record<Name, () => Promise<void>>>,
): Promise<Record<Name | 'scan', number>> {
  const service = await startService(UNLIMITED)
  const { org_id: orgId, project_id: projectId } = service.quickstart
  const file = eventsFile(service.dataDir)
  const reports = await fill(file, { orgId, projectId }, askerOf(service))
  copyFileSync(file, `${file}.copy`)
  const { child, output } = await startScript(
    'bench/baselines/bare-duckdb.ts',
    [`${file}.copy`, String(os.availableParallelism()), scan],
    {},
    /port \d+\n/,
  )
  const bare = `http://127.0.0.1:${/\d+/.exec(output())![0]}`
  // A report waits for what came before it; beside a scan of this size that would be all that is measured.
  const stopSending = scan === 'users' ? keepSending(service) : async () => {}

  const works = Object.entries<() => Promise<void>>({ scan: () => fetchText(bare), ...reports })
  const seen = new Map(works.map(([name]) => [name, [] as number[]]))
  let memory = 0
  // The first rounds warm all up and are not counted: a loop over a million segments is compiled in some steps.
  for (let round = 0; round < ROUNDS_TO_WARM_UP + ROUNDS; round++)
    for (const [name, work] of works) {
      const start = performance.now()
      await work()
      if (round >= ROUNDS_TO_WARM_UP) seen.get(name)!.push(performance.now() - start)
      memory = Math.max(memory, memoryOfTree(service.pid))
    }
  await stopSending()
  await end(child)
  await service.stop()

  const times = Object.fromEntries([...seen].map(([name, all]) => [name, median(all)]))
  const words = Object.entries(times).map(([name, time]) => `${name} ${Math.round(time)} ms`)
  print(`  ${words.join(', ')}; all processes hold ${Math.round(memory)} MB at most`)
  return times as Record<Name | 'scan', number>
}

function askerOf({ url, quickstart }: Service) {
  return async (method: string, path: string, body?: object): Promise<void> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': quickstart.api_key, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    await answer.text()
  }
}

function keepSending(service: Service): () => Promise<void> {
  const ask = askerOf(service)
  let sending: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    sending = Promise.all([
      sending,
      ask('POST', '/analytics/v1/events', JSON.parse(requestOf(EVENTS_A_REQUEST))),
    ])
  }, SENT_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await sending
  }
}

async function fetchText(url: string): Promise<void> {
  await (await fetch(url)).text()
}
