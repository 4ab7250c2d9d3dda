import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detectSandbox } from '../../../server/media/sandbox.ts'
import { MediaProgramFailed } from '../../../server/media/video/errors.ts'
import { runProgram } from '../../../server/media/video/program.ts'
import { type Glimpse, silenceWatch } from '../../../server/media/video/watch-silence.ts'
import { processesWith, standIn } from '../../support/media-programs.ts'

/** Runs a script where ffmpeg would run, with all its walls. */
function run(script: string, { cpuSeconds = 60, nice = 0 } = {}) {
  const ffmpeg = standIn('instead', script)
  const tools = { ffmpeg, ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 1 }
  const { ended } = runProgram(tools, {
    program: 'ffmpeg',
    args: ['instead'],
    inputs: [],
    discardsOutput: true,
    cpuSeconds,
    memoryBytes: 2 ** 30,
    nice,
  })
  return ended
}

test('a program that computes is left to it, however long it says nothing', async () => {
  await run('timeout 5 sh -c "while :; do :; done"; exit 0', { nice: 19 })
})

test('a program that only sleeps is ended', async () => {
  const seconds = `86400.${process.pid}`
  await expect(run(`sleep ${seconds} & wait`)).rejects.toThrow('no output and no work for 1 s')
  while (processesWith(`sleep ${seconds}`).length > 0) await sleep(20)
})

test('a program that is stopped is ended', async () => {
  await expect(run('kill -STOP $$')).rejects.toThrow('no output and no work for 1 s')
})

test('a program that computes for ever is ended, too', async () => {
  await expect(run('while :; do :; done', { cpuSeconds: 1 })).rejects.toThrow(MediaProgramFailed)
})

const LIMITS = { silenceSeconds: 120, cpuSeconds: 600 }
const asleep: Glimpse = { elapsedSeconds: 0.5, isHeard: false, cpuSeconds: 0, isHeldUp: false }

/** When a program that goes on like this is ended. */
function endedAfter(
  glimpses: Iterable<Partial<Glimpse>>,
  limits = LIMITS,
): [seconds: number, why: string] | undefined {
  const judge = silenceWatch(limits)
  let seconds = 0
  for (const glimpse of glimpses) {
    const seen = { ...asleep, ...glimpse }
    seconds += seen.elapsedSeconds
    const why = judge(seen)
    if (why) return [seconds, why]
  }
  return undefined
}

const times = <T>(count: number, glimpse: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => glimpse(i))

test('a machine too busy for a program is no fault of it', () => {
  expect(endedAfter(times(20_000, () => ({ isHeldUp: true })))).toBeUndefined()
  // A hundredth of a second of processor time in half a second, now and then.
  expect(endedAfter(times(20_000, (i) => ({ isHeldUp: i % 4 > 0, cpuSeconds: i * 0.01 })))).toBeUndefined()
})

test('one that wakes now and then to wait on is hung all the same', () => {
  const polling = times(20_000, (i) => ({ cpuSeconds: Math.floor(i / 20) * 0.01 }))
  expect(endedAfter(polling)![0]).toBeLessThan(1.1 * LIMITS.silenceSeconds)
})

test('one that goes on computing is ended after so much of it', () => {
  const computing = times(20_000, (i) => ({ cpuSeconds: i / 2 }))
  expect(endedAfter(computing)).toEqual([601, 'more than 600 s of processor time'])
})

test('time in which nobody looked does not count', () => {
  const asMachineSlept = [...times(100, () => ({})), { elapsedSeconds: 86_400 }]
  expect(endedAfter(asMachineSlept)).toBeUndefined()
})

test('it is ended after so many idle seconds since it was heard, or so much work, and no sooner', () => {
  // So little work that some of the programs do more.
  const limits = { ...LIMITS, cpuSeconds: 60 }
  const glimpse = fc.record({
    isHeard: fc.boolean(),
    isHeldUp: fc.boolean(),
    work: fc.constantFrom(0, 0, 0.3),
    times: fc.integer({ min: 1, max: 200 }),
  })
  fc.assert(
    fc.property(fc.array(glimpse, { maxLength: 8 }), (spans) => {
      let cpuSeconds = 0
      const glimpses = spans.flatMap(({ isHeard, isHeldUp, work, times: count }) =>
        times(count, () => {
          cpuSeconds += work
          return { isHeard, isHeldUp, cpuSeconds, isIdle: !isHeldUp && work === 0 }
        }),
      )
      // As it is meant: the idle half seconds since it was last heard, at every moment.
      const isOver = (end: number) => {
        const heardAt = glimpses.slice(0, end).findLastIndex(({ isHeard }) => isHeard)
        const idle = glimpses.slice(heardAt + 1, end).filter(({ isIdle }) => isIdle).length / 2
        return idle > limits.silenceSeconds || glimpses[end - 1]!.cpuSeconds > limits.cpuSeconds
      }
      const first = glimpses.findIndex((_, i) => isOver(i + 1))
      expect(endedAfter(glimpses, limits)?.[0]).toBe(first < 0 ? undefined : (first + 1) / 2)
    }),
    { numRuns: 30 },
  )
})
