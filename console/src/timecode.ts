/** Seconds as a clock shows them: 1:02:03. */
export function formatDuration(seconds: number): string {
  const total = Math.round(seconds)
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const shown = parts[0]! > 0 ? parts : parts.slice(1)
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** As exact as it is: 1:02.5. Hours only where there are any. */
export function formatTimecode(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const clock = formatDuration(Math.floor(tenths / 10))
  return tenths % 10 ? `${clock}.${tenths % 10}` : clock
}

/** Seconds of what somebody has typed, as `1:02.5`, `62.5` or `1:00:02`; nothing where it is no time. */
export function parseTimecode(text: string): number | undefined {
  const parts = text.trim().replace(',', '.').split(':')
  if (
    parts.length > 3 ||
    !parts.every((part, i) => /^\d+$/.test(part) || (i === parts.length - 1 && /^\d*\.?\d+$/.test(part)))
  )
    return undefined
  return parts.reduce((total, part) => total * 60 + Number(part), 0)
}
