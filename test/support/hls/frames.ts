const TOLERANCE_S = 0.001 + 1e-6

/** How the frames of a rendition are to relate to those of the source. */
export type FrameTimes = 'source' | 'held' | 'subset' | 'skip'

/** Holds the times of a rendition's frames against the source's, both counted from the first one. */
export function checkFrames(
  own: number[],
  source: number[],
  { frames, frameTimes = 'source' }: { frames?: number; frameTimes?: FrameTimes },
): string[] {
  const problems: string[] = []
  const wanted = frames ?? (frameTimes === 'source' ? source.length : own.length)
  if (own.length !== wanted) problems.push(`${own.length} frames instead of ${wanted}`)
  if (Math.abs(own[0] ?? 1) > TOLERANCE_S)
    problems.push(`the first frame is at ${own[0]?.toFixed(4)} s, not at 0`)
  const ours = own.map((time) => time - own[0]!)
  const theirs = source.map((time) => time - source[0]!)
  const back = ours.findIndex((time, i) => i > 0 && time <= ours[i - 1]!)
  if (back > 0) problems.push(`frame ${back} is not later than the one before`)
  if (frameTimes === 'source') problems.push(...equal(ours, theirs))
  if (frameTimes === 'held') problems.push(...contained(theirs, ours, 'of the source is missing'))
  if (frameTimes === 'subset') problems.push(...contained(ours, theirs, 'is none of the source'))
  return problems
}

function equal(ours: number[], theirs: number[]): string[] {
  const wrong = ours.findIndex(
    (time, i) => theirs[i] === undefined || Math.abs(time - theirs[i]) > TOLERANCE_S,
  )
  if (wrong < 0) return []
  return [
    `frame ${wrong} is at ${ours[wrong]!.toFixed(4)} s, and in the source at ${theirs[wrong]?.toFixed(4) ?? 'no time'}`,
  ]
}

/** That every time of the one is in the other, both in order. */
function contained(few: number[], many: number[], complaint: string): string[] {
  let at = 0
  for (const time of few) {
    while (at < many.length && many[at]! < time - TOLERANCE_S) at++
    if (at === many.length || many[at]! > time + TOLERANCE_S)
      return [`the frame at ${time.toFixed(4)} s ${complaint}`]
  }
  return []
}
