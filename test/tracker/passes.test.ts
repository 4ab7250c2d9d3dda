import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addUpPasses, type Manner, type Pass, type Sample } from '../../packages/tracker/src/passes.ts'

const LENGTH_MS = 20_000

/** What a viewer does, and how many milliseconds pass until the next. */
const action = fc.record({
  does: fc.oneof(
    fc.constantFrom('play', 'pause', 'stall', 'go on', 'hide', 'show', 'tell'),
    fc.record({ seek: fc.integer({ min: 0, max: LENGTH_MS }) }),
    fc.record({ speed: fc.constantFrom(0.5, 1, 2) }),
    fc.record({ chapter: fc.constantFrom('one', 'two') }),
  ),
  pause: fc.integer({ min: 0, max: 3000 }),
  /** How often the page looks meanwhile; a busy one looks late. */
  every: fc.integer({ min: 1, max: 700 }),
})

interface Viewer {
  at: number
  position: number
  isPlaying: boolean
  isStalled: boolean
  isHidden: boolean
  speed: number
  chapter: string
}

/** How often each millisecond of the video was passed, and how long that took: step by step, as slow as it is obvious. */
interface Watched {
  passed: number[]
  seconds: number
}

test('a video that loops has come to its end when it begins anew by itself, and not when a viewer goes back', () => {
  const manner = { speed: 1 }
  const looping = (...positions: [at: number, position: number][]) => {
    const { add, tell } = addUpPasses()
    const rounds = positions.map(([at, position], i) =>
      add({
        at,
        position,
        isWatched: true,
        isSeek: i > 0 && position < positions[i - 1]![1],
        manner,
        loopsAt: 10,
      }),
    )
    return { rounds, passes: tell(true).passes.map(({ start, end }) => [start, end]) }
  }
  expect(looping([0, 9.5], [480, 9.98], [500, 0.01], [800, 0.3])).toEqual({
    rounds: [false, false, true, false],
    passes: [
      [9.5, 10],
      [0.01, 0.3],
    ],
  })
  // Also where the last picture was at its very end, or is seen late.
  expect(looping([0, 9.5], [500, 10], [510, 0])).toEqual({
    rounds: [false, false, true],
    passes: [[9.5, 10]],
  })
  expect(looping([0, 9.5], [700, 0.2]).rounds).toEqual([false, true])
  expect(looping([0, 5], [500, 5.5], [510, 0])).toEqual({ rounds: [false, false, false], passes: [[5, 5.5]] })
})

test('what is told is what was watched, whatever the viewer does and however seldom the page looks', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const passes = addUpPasses()
      const told: Pass[] = []
      const firsts = new Set<Pass | undefined>()
      let seconds = 0
      const hear = (isAll: boolean) => {
        const heard = passes.tell(isAll)
        expect(heard.seconds).toBeGreaterThan(-1e-9)
        told.push(...heard.passes)
        firsts.add(heard.passes[0])
        seconds += heard.seconds
      }
      const watched = follow(actions, passes.add, () => hear(false))
      hear(true)

      expect(seconds).toBeCloseTo(watched.seconds, 6)
      expect(told.reduce((sum, one) => sum + (one.end - one.start) / one.manner.speed, 0)).toBeCloseTo(
        watched.seconds,
        6,
      )
      const passed = new Array(LENGTH_MS).fill(0)
      for (const { start, end } of told) for (let ms = toMs(start); ms < toMs(end); ms++) passed[ms]++
      expect(passed).toEqual(watched.passed)
      // What goes on in the same manner is one pass, and in another manner it is told in one go with what it goes on
      // from: apart they would count as watched again.
      told.slice(1).forEach((one, i) => {
        if (one.start !== told[i]!.end) return
        expect(same(one.manner, told[i]!.manner)).toBe(false)
        expect(firsts).not.toContain(one)
      })
    }),
    { numRuns: 300 },
  )
})

/** The video moves by halves of a millisecond, which seconds do not hold exactly. */
const toMs = (seconds: number) => Math.round(Math.round(seconds * 2000) / 2)

const same = (one: Manner, other: Manner) => one.speed === other.speed && one.chapter === other.chapter

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

/** Plays a script on a video that moves by the millisecond, and shows it as a page would see it. */
function follow(actions: Action[], add: (sample: Sample) => void, tell: () => void): Watched {
  const watched: Watched = { passed: new Array(LENGTH_MS).fill(0), seconds: 0 }
  const viewer: Viewer = {
    at: 0,
    position: 0,
    isPlaying: false,
    isStalled: false,
    isHidden: false,
    speed: 1,
    chapter: 'one',
  }
  const look = (isSeek = false) =>
    add({
      at: viewer.at,
      position: viewer.position / 1000,
      isWatched: isMoving(viewer) && !viewer.isHidden,
      isSeek,
      manner: { speed: viewer.speed, chapter: viewer.chapter },
    })
  for (const { does, pause, every } of actions) {
    // A frame before anything happens, the page has looked.
    look()
    if (does === 'tell') tell()
    else look(act(viewer, does))
    for (let ms = 1; ms <= pause; ms++) {
      step(viewer, watched)
      if (ms % every === 0) look()
    }
  }
  look()
  return watched
}

const isMoving = ({ isPlaying, isStalled, position }: Viewer) =>
  isPlaying && !isStalled && position < LENGTH_MS

/** Answers whether it was a seek. */
function act(viewer: Viewer, does: Exclude<Action['does'], 'tell'>): boolean {
  if (does === 'play' || does === 'pause') viewer.isPlaying = does === 'play'
  else if (does === 'stall' || does === 'go on') viewer.isStalled = does === 'stall'
  else if (does === 'hide' || does === 'show') viewer.isHidden = does === 'hide'
  else if (typeof does === 'string') throw new Error(does)
  else if ('speed' in does) viewer.speed = does.speed
  else if ('chapter' in does) viewer.chapter = does.chapter
  else {
    const isFar = Math.abs(does.seek - viewer.position) > 250
    if (isFar) viewer.position = does.seek
    return isFar
  }
  return false
}

/** One millisecond. At half the speed a millisecond of the video takes two. */
function step(viewer: Viewer, watched: Watched): void {
  viewer.at++
  if (!isMoving(viewer)) return
  const from = viewer.position
  viewer.position = Math.min(LENGTH_MS, from + viewer.speed)
  if (viewer.isHidden) return
  for (let ms = Math.round(from); ms < Math.round(viewer.position); ms++) watched.passed[ms]!++
  watched.seconds += (viewer.position - from) / viewer.speed / 1000
}

test('a jump that no seek was seen of ends a pass, and a pause that moves the picture a little does not', () => {
  const passes = addUpPasses()
  const manner = { speed: 1 }
  const at = (ms: number, position: number, isWatched = true) =>
    passes.add({ at: ms, position, isWatched, isSeek: false, manner })
  at(0, 0)
  at(1000, 1)
  at(1016, 31)
  at(2016, 32)
  at(2020, 32.02, false)
  at(9000, 31.99, true)
  at(10_000, 32.99)
  const { passes: told } = passes.tell(true)
  expect(told.map(({ start, end }) => [start, end])).toEqual([
    [0, 1],
    [31, 32.99],
  ])
})
