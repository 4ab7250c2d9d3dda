import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { connectDatabase } from '../../server/start/engines/database.ts'
import { type Api, apiOf, bearer, key } from '../support/api.ts'
import { marquee } from '../support/marquee.ts'
import { local, objectsOnDisk } from '../support/media.ts'
import { root, serviceForTest, type TestService } from '../support/service.ts'

const SWEEPING = { MARQUEE_SWEEP_INTERVAL: '1' }
const SMALL = ['--films', '1', '--pictures', '1', '--seconds', '6', '--days', '3']

const demoOf = ({ dataDir }: TestService) => ({
  async run(...args: string[]) {
    const { code, err, json } = await marquee(dataDir, 'demo', '--json', ...args)
    expect(code, err).toBe(0)
    return json()
  },
  stateFile: path.join(dataDir, 'demo/demo.json'),
})

/** Runs it as a program and presses Ctrl-C once it has said this. */
async function brokenOffAfter(words: string, { dataDir }: TestService, args: string[]) {
  const child = spawn(process.execPath, [path.join(root, 'server/cli/main.ts'), 'demo', ...args], {
    env: { PATH: process.env.PATH, MARQUEE_DATA_DIR: dataDir },
  })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
    if (err.includes(words) && !child.killed) child.kill('SIGINT')
  })
  return { code: await new Promise((resolve) => child.once('close', resolve)), err }
}

/** As when it is killed just before its project is there: what was begun is known, and taken away. */
async function leftBeforeItsProject(service: TestService): Promise<void> {
  const { sql, close } = connectDatabase(loadConfig({ MARQUEE_DATA_DIR: service.dataDir }))
  await sql.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
  await sql.unsafe(`create trigger refuse before insert on projects execute function refuse()`)
  expect(await marquee(service.dataDir, 'demo', ...SMALL)).toMatchObject({ code: 1 })
  await sql.unsafe('drop function refuse cascade')
  await close()
  const { project_id: begun } = JSON.parse(readFileSync(demoOf(service).stateFile, 'utf8'))
  expect(begun).toMatch(/^proj_/)
  expect(await demoOf(service).run('--remove')).toMatchObject({ removed: begun, isAllGone: true })
}

/** How many rows of any table are of this project. */
async function rowsOf(projectId: string, { dataDir }: TestService): Promise<Record<string, number>> {
  const { sql, close } = connectDatabase(loadConfig({ MARQUEE_DATA_DIR: dataDir }))
  onTestFinished(close)
  const tables = await sql<{ name: string; column: string }[]>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = current_schema() and (column_name = 'project_id' or (table_name = 'projects' and column_name = 'id'))`
  const found: Record<string, number> = {}
  for (const { name, column } of tables) {
    const [row] = await sql.unsafe(
      `select count(*)::int as n from "${name}" where "${column}" = '${projectId}'`,
    )
    if (row!.n > 0) found[name] = Number(row!.n)
  }
  return found
}

const everything = async (api: Api) => {
  const { points } = (await api.get('/analytics/v1/dashboard?start=2020-01-01&interval=month')).body
  const quality = (await api.get('/analytics/v1/quality?start=2020-01-01&by=browser')).body
  return { points, plays: quality.plays }
}

test('a demo is broken off, finished, found there, and taken away without a trace', async () => {
  const service = await serviceForTest({ env: SWEEPING })
  const demo = demoOf(service)
  await leftBeforeItsProject(service)
  const broken = await brokenOffAfter('are drawn', service, SMALL)
  expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('broken off') })

  const made = await demo.run()
  expect(made).toMatchObject({ was_there: false, console: expect.stringMatching(/\/console$/) })
  const api = apiOf(service.url, key(made.api_key))
  const { data: videos } = (await api.get('/videos')).body
  expect(videos).toMatchObject([{ file: { status: 'ready', name: 'Ridge after ridge' } }])
  const playlist = await (await fetch(local(videos[0].file.url))).text()
  const rendition = playlist.split('\n').find((line) => /^[^#].*\.m3u8/.test(line))!
  const segments = await (await fetch(new URL(rendition, local(videos[0].file.url)))).text()
  expect(segments).toContain('#EXT-X-ENDLIST')
  expect(playlist).toMatch(/TYPE=SUBTITLES.*LANGUAGE="de"/)
  expect((await api.get(`/videos/${videos[0].id}/chapters`)).body.chapters).toHaveLength(1)
  expect((await api.get('/images?attached_to_video=false')).body.pagination.total).toBe(1)
  expect((await fetch(local(made.feed))).status).toBe(200)
  const { data: feeds } = (await api.get('/feeds')).body
  expect(feeds).toHaveLength(2)
  for (const { id } of feeds)
    expect(
      (await api.get(`/posts/v1/projects/${made.project_id}/feeds/${id}/posts`)).body.pagination,
    ).toMatchObject({ total: expect.toSatisfy((n) => n > 0) })

  const before = await everything(api)
  expect(before.plays).toBeGreaterThan(20)
  const [top] = (await api.get('/analytics/v1/top/videos')).body.videos
  expect(top).toMatchObject({ video_id: videos[0].id, completions: expect.toSatisfy((n) => n > 5) })

  // Sent again as after a crash, nothing counts twice; and once it is there nothing is done.
  const state = JSON.parse(readFileSync(demo.stateFile, 'utf8'))
  expect(await demo.run()).toMatchObject({ was_there: true, project_id: made.project_id })
  writeFileSync(demo.stateFile, JSON.stringify({ ...state, sent: 0, isDone: false }))
  await demo.run()
  expect(await everything(api)).toEqual(before)
  expect((await api.get('/videos')).body.pagination.total).toBe(1)

  expect(await demo.run('--remove')).toEqual({ removed: made.project_id, isAllGone: true })
  // But for the log of who made and deleted it, which nobody deletes from.
  expect(await rowsOf(made.project_id, service)).toEqual({ audit_entries: expect.any(Number) })
  expect(objectsOnDisk(service.dataDir)).toEqual([])
  expect(existsSync(path.dirname(demo.stateFile))).toBe(false)
  const owner = apiOf(service.url, bearer(service.quickstart.access_token))
  const { points } = (await owner.get('/analytics/v1/dashboard?start=2020-01-01&interval=month')).body
  expect(points.filter((point: { unique_users: number }) => point.unique_users > 0)).toEqual([])
  expect(await demo.run('--remove')).toMatchObject({ isAllGone: true })
})

test('mistakes are told before anything is made', async () => {
  const service = await serviceForTest()
  const mistakes: [string[], RegExp][] = [
    [['--films', '7'], /--films "7" is not a whole number from 1 to 6/],
    [['--days', 'many'], /--days "many" is not a whole number from 1 to 365/],
    [['--url', 'http://127.0.0.1:1'], /no Marquee answers at http:\/\/127\.0\.0\.1:1/],
    [['--org', 'org_x'], /there is no organization org_x/],
  ]
  for (const [args, words] of mistakes) {
    const { code, out, err } = await marquee(service.dataDir, 'demo', ...args)
    expect([code, out], String(words)).toEqual([1, ''])
    expect(err).toMatch(words)
  }
  expect(existsSync(path.join(service.dataDir, 'demo'))).toBe(false)
  const help = await marquee(service.dataDir, 'demo', '--help')
  expect(help.out).toMatch(/^ {2}--remove {2,}Take the demo away/m)
})

test.runIf(process.env.MARQUEE_TEST_LONG)('the whole demo', { timeout: 900_000 }, async () => {
  const service = await serviceForTest({ env: SWEEPING })
  const demo = demoOf(service)
  const made = await demo.run()
  const api = apiOf(service.url, key(made.api_key))
  expect((await api.get('/videos')).body.pagination.total).toBe(6)
  expect((await api.get('/images?attached_to_video=false')).body.pagination.total).toBe(12)
  const days = (await api.get(`/analytics/v1/dashboard?time_start=${daysAgo(89)}`)).body.points
  expect(days).toHaveLength(90)
  const views = days.map((day: { views: number }) => day.views)
  expect(views.indexOf(Math.max(...views))).toBe(62)
  const { groups } = (await api.get(`/analytics/v1/quality?by=browser&start=${daysAgo(10)}`)).body
  const [worst, next] = groups.toSorted(
    (a: { failure_rate: number }, b: { failure_rate: number }) => b.failure_rate - a.failure_rate,
  )
  expect(worst!.failure_rate).toBeGreaterThan(next!.failure_rate * 4)
  for (const { id } of (await api.get('/videos')).body.data) {
    const hot = (await api.get(`/analytics/v1/videos/${id}/heatmap?start=${daysAgo(89)}&buckets=20`)).body
      .data
    expect(hot[0]!).toBeGreaterThan(hot[19]!)
  }
  await demo.run('--remove')
  expect(objectsOnDisk(service.dataDir)).toEqual([])
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
