import { expect, test } from 'vitest'
import type { EventLine, StoredEvent } from '../../../server/platform/events/line.ts'
import type { FunnelCounts, FunnelQuery, FunnelStep } from '../../../server/platform/events/port.ts'
import { lineOf } from './spooled.ts'

const at = (date: string) => Date.parse(date) * 1000
const HOUR = 3600 * 1_000_000

const clicked = (...elements: string[]): FunnelStep[] =>
  elements.map((element_id) => ({ kind: 'interaction', fields: { element_id } }))

/**
 * Worked examples that others have published, told as clicks of one viewer on named elements: what they start
 * from and answer is theirs. Where our funnel means something else, it says so.
 */
export function published(
  ask: (lines: EventLine[], query: FunnelQuery) => Promise<FunnelCounts>,
  organization: string,
): void {
  let viewers = 0
  /** Which of the steps the viewer got to. */
  async function reached(clicks: [string, number][], steps: FunnelStep[], window?: number) {
    const events = clicks.map(
      ([element_id, time]): StoredEvent => ({ kind: 'interaction', time, fields: { element_id } }),
    )
    // In a project of its own, so that examples do not see each other.
    const project = `example ${viewers++}`
    const query = {
      ...(window !== undefined && { window }),
      steps: steps.map((step) => ({ ...step, fields: { ...step.fields, project_id: project } })),
    }
    return (await ask([lineOf(organization, { project, viewer: `viewer ${viewers}`, events })], query))
      .reached
  }

  // From ClickHouse's documentation, "Parametric aggregate functions", windowFunnel. Its table is not in the
  // order of time; its answer is level 4 for the one user.
  test('windowFunnel: logged in, ordered, searched, ordered again', async () => {
    const clicks: [string, number][] = [
      ['1003', at('2019-01-29T10:00:00Z')],
      ['1007', at('2019-01-31T09:00:00Z')],
      ['1009', at('2019-01-30T08:00:00Z')],
      ['1010', at('2019-02-01T08:00:00Z')],
    ]
    const steps = clicked('1003', '1009', '1007', '1010')
    expect(await reached(clicks, steps, 6_048_000_000_000_000)).toEqual([1, 1, 1, 1])
    // "timestamp of condN <= timestamp of cond1 + window": here that is 2 days and 22 hours.
    expect(await reached(clicks, steps, 70 * HOUR)).toEqual([1, 1, 1, 1])
    expect(await reached(clicks, steps, 70 * HOUR - 1)).toEqual([1, 1, 1, 0])
  })

  test('windowFunnel: with strict_order A→B→D→C has level 2; here it has 3', async () => {
    const clicks: [string, number][] = [
      ['A', 1],
      ['B', 2],
      ['D', 3],
      ['C', 4],
    ]
    expect(await reached(clicks, clicked('A', 'B', 'C'))).toEqual([1, 1, 1])
  })

  test('windowFunnel: with allow_reentry A→A→B→C has level 3, as here', async () => {
    const clicks: [string, number][] = [
      ['A', 1],
      ['A', 2],
      ['B', 3],
      ['C', 4],
    ]
    expect(await reached(clicks, clicked('A', 'B', 'C'))).toEqual([1, 1, 1])
  })

  // Its mode strict_once counts each event once in a chain, even if it meets conditions several times. Ours
  // always does. Its strict_increase wants times that grow; ours takes events at one time in order of arrival.
  test('windowFunnel: an event counts once in a chain, as with strict_once', async () => {
    expect(await reached([['A', 1]], clicked('A', 'A'))).toEqual([1, 0])
  })

  test('windowFunnel: events at the same time form a chain, unlike with strict_increase', async () => {
    const clicks: [string, number][] = [
      ['A', 1],
      ['B', 1],
    ]
    expect(await reached(clicks, clicked('A', 'B'))).toEqual([1, 1])
    expect(await reached(clicks, clicked('B', 'A'))).toEqual([1, 0])
  })

  // From PostHog's documentation, "Funnels". Its default order of steps, "sequential", is ours.
  test('PostHog: B must happen after A, but any number of events can happen between them', async () => {
    const clicks: [string, number][] = [
      ['A', 1],
      ['X', 2],
      ['Y', 3],
      ['B', 4],
    ]
    expect(await reached(clicks, clicked('A', 'B'))).toEqual([1, 1])
    expect(await reached(clicks, clicked('B', 'A'))).toEqual([1, 0])
  })

  test('PostHog: a click, then a click on Sign Up, takes two clicks', async () => {
    const steps = [{ kind: 'interaction' as const, fields: {} }, ...clicked('Sign Up')]
    expect(await reached([['Sign Up', 1]], steps)).toEqual([1, 0])
    const two: [string, number][] = [
      ['Other', 1],
      ['Sign Up', 2],
    ]
    expect(await reached(two, steps)).toEqual([1, 1])
  })

  // Its "first occurrence matching filters" finds /about, as ours does. Its "first-ever occurrence" leaves the
  // user out, because the first page of all is another one; we have nothing like it.
  test('PostHog: /pricing and then /about matches a step of /about', async () => {
    const clicks: [string, number][] = [
      ['/pricing', 1],
      ['/about', 2],
    ]
    expect(await reached(clicks, clicked('/about'))).toEqual([1])
  })
}
