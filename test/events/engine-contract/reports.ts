import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventLine } from '../../../server/platform/events/line.ts'
import type { EventEngine } from '../../../server/platform/events/port.ts'
import { oracle } from '../oracle.ts'
import { ask, questionsAbout } from './questions.ts'
import { type Engine, EVER, lineOf, loadAll, loadLines, makeSpool, newOrganization } from './spooled.ts'
import { type World, worldOf } from './worlds.ts'

const RUNS = process.env.MARQUEE_TEST_LONG ? 400 : 10
const TIMEOUT_MS = process.env.MARQUEE_TEST_LONG ? 3_600_000 : 180_000

/** Names in worlds are the same each time; in an engine that is used again and again they must be new. */
function renamed(lines: EventLine[], names: Record<string, string>): EventLine[] {
  return lines.map((line) => ({ ...line, organization: names[line.organization]! }))
}

async function loadWorld(engine: EventEngine, lines: EventLine[], cut: number): Promise<void> {
  const spool = await makeSpool()
  try {
    for (let at = 0; at < lines.length; at += cut) {
      await loadAll(engine, await spool.write(lines.slice(at, at + cut)))
      if (at % 3 === 0) spool.nextSegment()
    }
  } finally {
    await spool.remove()
  }
}

export function reports(engine: Engine): void {
  test(
    'every report is that of the oracle, on every field',
    async () => {
      const worlds = worldOf(['A', 'A', 'A', 'B']).chain((world: World) =>
        fc.record({
          world: fc.constant(world),
          questions: questionsAbout('A', world.setting, world.lines),
        }),
      )
      await fc.assert(
        fc.asyncProperty(worlds, async ({ world, questions }) => {
          const names = { A: newOrganization(), B: newOrganization() }
          const lines = renamed(world.lines, names)
          await loadWorld(engine(), lines, world.cut)
          const truth = oracle(lines)
          for (const question of questions) {
            const [scope, ...rest] = question.arguments as [object]
            const asked = { ...question, arguments: [{ ...scope, organization: names.A }, ...rest] }
            expect(await ask(engine(), asked)).toEqual(await ask(truth, asked))
          }
        }),
        // Looking for a smaller example must end before the test does, or there is none to see.
        { numRuns: RUNS, interruptAfterTimeLimit: TIMEOUT_MS * 0.8 },
      )
    },
    TIMEOUT_MS,
  )

  test('where nothing has happened there are zeros and empty lists', async () => {
    const scope = { organization: newOrganization() }
    const step = { kind: 'engagement' as const, fields: {} }
    expect(await engine().funnel(scope, EVER, { steps: [step, step] })).toEqual({
      reached: [0, 0],
      took: 0n,
      gaps: [0n, 0n],
    })
    expect(await engine().contents(scope, EVER, { by: 'video', limit: 10 })).toEqual([])
    expect(await engine().contents(scope, EVER, { by: 'post', id: 'none', limit: 10 })).toEqual([
      { id: 'none', views: 0, viewers: 0, starts: 0, watches: 0, ends: 0, watched: 0n },
    ])
    expect(await engine().heat(scope, EVER, { video: 'none', parts: 3 })).toEqual({
      viewers: 0,
      duration: 0,
      passes: [0, 0, 0],
    })
    expect((await engine().heat(scope, EVER, { video: 'none', parts: 'seconds' })).passes).toEqual([])
    expect(await engine().quality(scope, EVER, {})).toEqual([])
    expect(await engine().activity(scope, EVER, 'day')).toEqual([])
    expect(await engine().overview(scope, EVER, {})).toEqual([])
    expect(await engine().values(scope, EVER, { field: 'page', limit: 1 })).toEqual({ kinds: [], values: [] })
    expect(await engine().retention(scope, EVER, 'month')).toEqual([])
    expect(await engine().realtime(scope, EVER)).toEqual({
      viewers: 0,
      lastMinute: 0,
      kinds: [],
      countries: [],
      recent: [],
    })
  })

  test('nobody sees what others have', async () => {
    const [mine, theirs] = [newOrganization(), newOrganization()]
    const view = (viewer: string, time: number) => ({
      viewer,
      events: [{ kind: 'content_view' as const, time, video: 'film', fields: { view_type: 'start' } }],
    })
    await loadLines(engine(), [
      lineOf(mine, { ...view('ann', 1), project: 'one' }),
      lineOf(mine, { ...view('bob', 2), project: 'two' }),
      lineOf(theirs, { ...view('eve', 3), project: 'one' }),
      lineOf(theirs, { ...view('eve', 4), project: 'one' }),
    ])
    const views = async (organization: string, project?: string) => {
      const scope = project === undefined ? { organization } : { organization, project }
      const [film] = await engine().contents(scope, EVER, { by: 'video', limit: 10 })
      return film?.views
    }
    expect(await views(mine)).toBe(2)
    expect(await views(mine, 'one')).toBe(1)
    expect(await views(mine, 'three')).toBeUndefined()
    expect(await views(theirs)).toBe(2)
    expect(await views(theirs, 'two')).toBeUndefined()
    expect(await views(`${mine}' or '1'='1`)).toBeUndefined()
    const projects = async (organization: string, project?: string) =>
      (await engine().values({ organization, project }, EVER, { field: 'project_id', limit: 9 })).values
    expect(await projects(mine)).toEqual([
      { value: 'one', count: 1 },
      { value: 'two', count: 1 },
    ])
    expect(await projects(mine, 'two')).toEqual([{ value: 'two', count: 1 }])
    expect(await projects(theirs)).toEqual([{ value: 'one', count: 2 }])
  })

  test('a range holds its first moment and not its last', async () => {
    const organization = newOrganization()
    await loadLines(
      engine(),
      [10, 20, 30].map((time) =>
        lineOf(organization, { viewer: 'ann', events: [{ kind: 'error', time, fields: {} }] }),
      ),
    )
    const { recent } = await engine().realtime({ organization }, { from: 10, to: 30 })
    expect(recent.map(({ time }) => time)).toEqual([20, 10])
  })

  test('ten thousand events of one viewer, and time watched beyond what 64 bits hold', async () => {
    const organization = newOrganization()
    const watched = Number.MAX_SAFE_INTEGER
    const lines = Array.from({ length: 100 }, (_, i) =>
      lineOf(organization, {
        viewer: 'ann',
        events: Array.from({ length: 100 }, (_, j) => ({
          kind: 'content_view' as const,
          time: i * 100 + j,
          video: 'film',
          watched,
          fields: { view_type: j === 0 ? 'start' : 'watch', page: i % 2 ? 'feed' : 'profile' },
        })),
      }),
    )
    await loadLines(engine(), lines)
    const scope = { organization }
    expect(await engine().contents(scope, EVER, { by: 'video', limit: 1 })).toEqual([
      {
        id: 'film',
        views: 100,
        viewers: 1,
        starts: 100,
        watches: 9900,
        ends: 0,
        watched: 10_000n * BigInt(watched),
      },
    ])
    expect(await engine().overview(scope, EVER, {})).toEqual([
      { bucket: 0, views: 100, viewers: 1, ends: 0, watched: 10_000n * BigInt(watched) },
    ])
    const step = (page: string) => ({ kind: 'content_view' as const, fields: { view_type: 'start', page } })
    const steps = Array.from({ length: 20 }, (_, i) => step(i % 2 ? 'feed' : 'profile'))
    expect(await engine().funnel(scope, EVER, { steps })).toEqual({
      reached: steps.map(() => 1),
      took: 1900n,
      gaps: [0n, ...Array(19).fill(100n)],
    })
    expect((await engine().funnel(scope, EVER, { steps, window: 1899 })).reached).toEqual([
      ...Array(19).fill(1),
      0,
    ])
  })
}
