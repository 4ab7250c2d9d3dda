/** A day as an address and an input of dates write it: `2026-11-17`. One that no calendar has, as the last of February's 30, is none. */
export function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The beginning of a day where the viewer is, or of one so many days after it: not each has 24 hours. */
export function startOfDay(day: string, later = 0): Date {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date! + later)
}

/** The beginning of today where the viewer is, or of a day before it. */
export function startOfDaysAgo(days: number, now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
}
