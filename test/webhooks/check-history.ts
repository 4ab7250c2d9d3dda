import type { Told } from './receiver.ts'

/** What clients know to have happened to one thing, in its order. */
export type Happened = Map<string, string[]>

/**
 * Holds what a receiver was told against what happened. Each thing's messages have come in their order, where
 * repetitions of one that had come before do not count; none is missing, and none tells of what did not happen.
 * `maybe`: what was asked for and not answered, which may have happened or not.
 */
export function faultsIn(told: Told[], happened: Happened, maybe: Happened = new Map()): string[] {
  const faults: string[] = []
  const firsts = new Map<string, { type: string; id: string }[]>()
  for (const { id, type, data } of told) {
    const thing = thingOf(data)
    const seen = firsts.get(thing) ?? []
    firsts.set(thing, seen)
    if (!seen.some((one) => one.id === id)) seen.push({ id, type })
    // At least once, but never the one before when the next has come: it was taken then.
    else if (seen.at(-1)!.id !== id) faults.push(`${thing}: ${type} came again after ${seen.at(-1)!.type}`)
  }
  for (const [thing, kinds] of happened) {
    const got = (firsts.get(thing) ?? []).map(({ type }) => type)
    const possible = [...kinds, ...(maybe.get(thing) ?? [])]
    const isWhole = kinds.every((kind, i) => got[i] === kind)
    const isTrue = got.every((kind, i) => possible[i] === kind)
    if (!isWhole || !isTrue) faults.push(`${thing}: ${kinds.join(', ')} happened, ${got.join(', ')} was told`)
  }
  for (const [thing, got] of firsts) {
    if (happened.has(thing)) continue
    const possible = maybe.get(thing) ?? []
    if (!got.every(({ type }, i) => possible[i] === type))
      faults.push(`${thing}: nothing happened, ${got.map(({ type }) => type).join(', ')} was told`)
  }
  return faults
}

function thingOf(data: Record<string, unknown>): string {
  return String(data.post_id ?? data.video_id ?? data.image_id ?? data.key_id ?? data.org_id)
}
