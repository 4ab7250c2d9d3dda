import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { announce, compareRates } from './support/rates.ts'
import { line } from './support/report.ts'
import { end, memoryOfTree, startScript, startService } from './support/service.ts'

const CONNECTIONS = 32
const LISTED = 25

type Service = Awaited<ReturnType<typeof startService>>

/** GET /project and a list of 25 rows, beside a bare node:http server with the same SQL and bytes. */
export async function run(): Promise<void> {
  const service = await startService({ MARQUEE_LIMIT_KEY_PER_MINUTE: '1000000000' })
  await fillList(service)
  const bare = await startBare(service)
  const { org_id, api_key, access_token } = service.quickstart

  announce('http', CONNECTIONS)
  await compare('GET /project', [service.url, bare.url], '/project', { 'x-api-key': api_key })
  await compare(
    `GET /organization/{orgId}/projects, ${LISTED} rows`,
    [service.url, bare.url],
    `/organization/${org_id}/projects`,
    {
      authorization: `Bearer ${access_token}`,
    },
  )
  await bare.stop()
  await service.stop()
  await reportIdleMemory()
}

async function compare(
  what: string,
  urls: [string, string],
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const bodies = await Promise.all(urls.map(async (url) => (await fetch(url + path, { headers })).text()))
  if (bodies[0] !== bodies[1]) throw new Error(`${what}: the two servers answer differently`)
  await compareRates(
    urls[0] + path,
    { name: 'bare', url: urls[1] + path },
    { what, headers, connections: CONNECTIONS, atLeast: 0.6 },
  )
}

async function fillList({ url, quickstart }: Service): Promise<void> {
  for (let i = 1; i < LISTED; i++)
    await fetch(`${url}/organizations/${quickstart.org_id}/projects/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${quickstart.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `project ${i}` }),
    })
}

async function startBare({ dataDir, quickstart }: Service) {
  const facts = {
    dataDir,
    keyId: `key_${quickstart.api_key.split('_')[2]}`,
    sessionId: decodeJwt(quickstart.access_token).sid,
    orgId: quickstart.org_id,
    projectId: quickstart.project_id,
  }
  const { child, output } = await startScript(
    'bench/baselines/bare-http.ts',
    [JSON.stringify(facts)],
    {},
    /port \d+\n/,
  )
  return { url: `http://127.0.0.1:${/\d+/.exec(output())![0]}`, stop: () => end(child) }
}

async function reportIdleMemory(): Promise<void> {
  const service = await startService()
  await fetch(`${service.url}/project`, { headers: { 'x-api-key': service.quickstart.api_key } })
  await sleep(10_000)
  line('idle memory of all processes, MB', memoryOfTree(service.pid), { atMost: 350 })
  await service.stop()
}
