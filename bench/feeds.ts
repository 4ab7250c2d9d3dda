import { addFeeds, addPosts, databaseOf } from './support/many-posts.ts'
import { announce, compareRates } from './support/rates.ts'
import { line, median, print } from './support/report.ts'
import { end, startScript, startService } from './support/service.ts'

const FEEDS = 2000
const POSTS = 1_000_000
const CONNECTIONS = 32
const LOOKS = 300
const DEEP = 500_000
const LIMITS = { MARQUEE_LIMIT_KEY_PER_MINUTE: '1000000000', MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '1000000000' }

type Service = Awaited<ReturnType<typeof startService>>
type Page = { data: { id: string }[]; pagination: { total: number; next_cursor?: string } }

/** Pages of a large feed and single posts, beside a server that has their bytes in memory. */
export async function run(): Promise<void> {
  const service = await startService(LIMITS)
  const sql = databaseOf(service.dataDir)
  print(`feeds: fills a feed with ${POSTS} posts first, which takes minutes`)
  const { project_id: projectId } = service.quickstart
  const [feedId] = await addFeeds(sql, projectId, FEEDS)
  await addPosts(sql, projectId, feedId!, POSTS)

  const get = getterOf(service)
  const first = `/feeds/${feedId}?limit=25`
  const page = await get<Page>(first)
  if (page.pagination.total !== POSTS) throw new Error(`${page.pagination.total} posts instead of ${POSTS}`)
  await compareReads(service, {
    'a page of 25 posts': { path: first, atLeast: 0.25 },
    'a public post': { path: `/posts/v1/feeds/${feedId}/${page.data[0]!.id}`, atLeast: 0.5 },
  })

  print(`feeds: p50 of a page that nobody has asked for, of ${LOOKS}`)
  const near = await looks(LOOKS, (i) => get(`/feeds/${feedId}?limit=25&cursor=${cursorBefore(POSTS - i)}`))
  const deep = await looks(LOOKS, (i) =>
    get(`/feeds/${feedId}?limit=25&cursor=${cursorBefore(LOOKS + 30 - i)}`),
  )
  print(`  by cursor: first ${near.toFixed(2)} ms, deepest ${deep.toFixed(2)} ms`)
  line('deepest page by cursor beside the first', deep / near, { atMost: 1.3 })
  const jumped = await looks(LOOKS, (i) => get(`/feeds/${feedId}?limit=25&offset=${DEEP + i}`))
  const walked = await looks(
    11,
    (i) => sql`
    select * from posts where feed_id = ${feedId!} and published order by place desc limit 25 offset ${DEEP + i}`,
  )
  print(`  at offset ${DEEP}: ${jumped.toFixed(2)} ms; PostgreSQL's own OFFSET ${walked.toFixed(2)} ms`)
  line('page at a deep offset beside OFFSET', jumped / walked, { atMost: 0.2 })
  await sql.end()
  await service.stop()
}

/** In the form that the service gives out; the bench's posts are numbered. */
function cursorBefore(number: number): string {
  return Buffer.from(`post_${String(number).padStart(26, '0')}`).toString('base64url')
}

function getterOf({ url, quickstart }: Service) {
  return async <T>(path: string): Promise<T> => {
    const answer = await fetch(url + path, { headers: { 'x-api-key': quickstart.api_key } })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as T
  }
}

async function looks(times: number, look: (i: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await look(i)
    taken.push(performance.now() - start)
  }
  return median(taken)
}

async function compareReads(
  { url, quickstart }: Service,
  reads: Record<string, { path: string; atLeast: number }>,
): Promise<void> {
  const headers = { 'x-api-key': quickstart.api_key }
  const paths = Object.values(reads).map(({ path }) => path)
  const answers = await Promise.all(paths.map(async (path) => [path, await answerOf(url + path, headers)]))
  const { child, output } = await startScript(
    'bench/baselines/bytes-from-memory.ts',
    [JSON.stringify(Object.fromEntries(answers))],
    {},
    /port \d+\n/,
  )
  const memory = `http://127.0.0.1:${/\d+/.exec(output())![0]}`
  announce('feeds', CONNECTIONS)
  for (const [what, { path, atLeast }] of Object.entries(reads)) {
    const baseline = { name: 'from memory', url: memory + path }
    await compareRates(url + path, baseline, { what, headers, connections: CONNECTIONS, atLeast })
  }
  await end(child)
}

const OF_THE_CONNECTION = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** All that goes over the wire but what a server adds by itself. */
async function answerOf(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers })
  const all = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name))
  return { headers: Object.fromEntries(all), body: await answer.text() }
}
