/** From a second to a second. */
export type Spoken = [number, number, string]

export function webVtt(cues: Spoken[]): string {
  const lines = cues.map(([from, to, text]) => `${time(from)} --> ${time(to)}\n${text}\n`)
  return `WEBVTT\n\n${lines.join('\n')}`
}

function time(seconds: number): string {
  return `00:00:${seconds.toFixed(3).padStart(6, '0')}`
}
