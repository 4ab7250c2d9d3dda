import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FairWaiter, fairQueue, type Priority } from '../../../server/base/async/fair-queue.ts'

interface Job extends FairWaiter {
  ticket: number
}

/** The rules as they are told, over plain lists of all that has happened: slow, and short enough to be seen to be right. */
function oracle(slots: number) {
  const waiting: Job[] = []
  const running: Job[] = []
  /** When a tenant was last served, or, where it had nothing waiting by then, came to wait. */
  const turns = new Map<string, number>()
  let now = 0
  const occupies = (tenant: string) => running.filter((job) => job.tenant === tenant).length
  const turnOf = ({ tenant, priority }: Job) => turns.get(`${tenant} ${priority}`)!
  const sameQueue = (a: Job) => (b: Job) => a.tenant === b.tenant && a.priority === b.priority
  return {
    push(job: Job) {
      if (!waiting.some(sameQueue(job))) turns.set(`${job.tenant} ${job.priority}`, ++now)
      waiting.push(job)
    },
    finish: (job: Job) => void running.splice(running.indexOf(job), 1),
    take(): Job | undefined {
      const [best] = [...waiting].sort(
        (a, b) =>
          Number(a.priority === 'background') - Number(b.priority === 'background') ||
          occupies(a.tenant) - occupies(b.tenant) ||
          turnOf(a) - turnOf(b) ||
          a.ticket - b.ticket,
      )
      if (!best) return undefined
      const isSpare =
        running.length === slots && best.priority === 'interactive' && occupies(best.tenant) === 0
      if (running.length >= slots && !isSpare) return undefined
      waiting.splice(waiting.indexOf(best), 1)
      running.push(best)
      turns.set(`${best.tenant} ${best.priority}`, ++now)
      return best
    },
  }
}

type Step = { ask: string; priority: Priority } | { finish: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ask: fc.constantFrom('a', 'b', 'c', 'd'),
    priority: fc.constantFrom<Priority>('interactive', 'interactive', 'background'),
  }),
  fc.record({ finish: fc.nat(10) }),
)

/** Asks and finishes as told, starts whatever may start, and tells of each start. */
function play(slots: number, steps: Step[], onStart: (job: Job, expected: Job | undefined) => void): Job[] {
  const queue = fairQueue<Job>(slots)
  const model = oracle(slots)
  const running: { job: Job; release(): void }[] = []
  for (const [ticket, step] of steps.entries()) {
    if ('ask' in step) {
      const job = { tenant: step.ask, priority: step.priority, ticket }
      queue.push(job)
      model.push(job)
    } else if (running.length > 0) {
      const [ended] = running.splice(step.finish % running.length, 1)
      ended!.release()
      model.finish(ended!.job)
    }
    for (let next = queue.take(); next; next = queue.take()) {
      running.push(next)
      onStart(next.job, model.take())
    }
    expect(model.take()).toBeUndefined()
  }
  return queue.clear()
}

test('jobs start in the order that the rules tell', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (slots, steps) => {
      let started = 0
      const left = play(slots, steps, (job, expected) => {
        started++
        expect(job).toEqual(expected)
      })
      // Nothing is lost and nothing comes twice.
      expect(started + left.length).toBe(steps.filter((one) => 'ask' in one).length)
    }),
    { numRuns: 500 },
  )
})

test('whoever has nothing running starts at once beside a tenant that fills all slots', () => {
  for (const slots of [1, 2, 3, 4]) {
    const started: string[] = []
    const flood = Array.from({ length: 20 }, (): Step => ({ ask: 'a', priority: 'interactive' }))
    play(slots, [...flood, { ask: 'b', priority: 'interactive' }], ({ tenant }) => started.push(tenant))
    expect(started).toEqual([...Array(slots).fill('a'), 'b'])
  }
})

test('whoever waits with nothing running waits for at most one job of each other tenant', () => {
  const ends = fc.array(fc.nat(10), { minLength: 30, maxLength: 30 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), ends, (slots, numbers) => {
      const others = ['a', 'b', 'c', 'd']
      const flood = Array.from(
        { length: 40 },
        (_, i): Step => ({ ask: others[i % 4]!, priority: 'interactive' }),
      )
      const ended = numbers.map((finish): Step => ({ finish }))
      const started: Job[] = []
      play(slots, [...flood, { ask: 'late', priority: 'interactive' }, ...ended], (job) => started.push(job))
      // Those that were running when it came are not waited for by turn, but by their end.
      const before = started.slice(
        slots + 1,
        started.findIndex(({ tenant }) => tenant === 'late'),
      )
      expect(started.some(({ tenant }) => tenant === 'late')).toBe(true)
      for (const other of others)
        expect(before.filter(({ tenant }) => tenant === other).length).toBeLessThanOrEqual(1)
    }),
  )
})

test('a tenant’s own jobs are served by their tickets, whenever they were pushed', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 }), (tickets) => {
      const queue = fairQueue<Job>(1)
      for (const ticket of tickets) queue.push({ tenant: 'a', priority: 'interactive', ticket })
      const served = tickets.map(() => {
        const { job, release } = queue.take()!
        release()
        return job.ticket
      })
      expect(served).toEqual([...tickets].sort((a, b) => a - b))
    }),
  )
})
