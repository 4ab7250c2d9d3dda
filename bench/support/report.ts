/** One line of a report: what was measured, the ratio, and the bar it has to clear: else the run ends with 1. */
export function line(what: string, ratio: number, bar: { atLeast: number } | { atMost: number }): void {
  const clears = 'atLeast' in bar ? ratio >= bar.atLeast : ratio <= bar.atMost
  const stated = 'atLeast' in bar ? `at least ${bar.atLeast}` : `at most ${bar.atMost}`
  if (!clears) process.exitCode = 1
  print(`  ${what.padEnd(58)} ${ratio.toFixed(2).padStart(8)}   ${stated}${clears ? '' : '   BELOW ITS BAR'}`)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
