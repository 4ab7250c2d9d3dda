import { seeded } from '../draw/random.ts'
import { type Chances, chances } from './chances.ts'

const DAY_MS = 86_400_000

/** What happened on which day; days are counted from the first. */
export interface History {
  days: number
  /** When it ends, in milliseconds since 1970. */
  until: number
  /** The day of the launch. */
  launch: number
  /** From this day on the broken browser is broken. */
  broken: number
}

export function historyOf(days: number, until: number): History {
  return {
    days,
    until,
    launch: Math.max(0, days - Math.max(1, Math.round(days * 0.31))),
    broken: Math.max(0, days - Math.max(1, Math.round(days * 0.14))),
  }
}

/** The beginning of a day in UTC; the last one is that of `until`. */
function startOfDay({ days, until }: History, day: number): number {
  return Math.floor(until / DAY_MS) * DAY_MS - (days - 1 - day) * DAY_MS
}

/** From Sunday on. */
const WEEK = [1.22, 0.9, 0.92, 0.96, 0.98, 1.06, 1.3]
/** Of the launch day and those after it. */
const LAUNCH = [5.2, 2.9, 1.9, 1.5, 1.3, 1.2, 1.12]
const [AT_FIRST, IN_THE_END] = [26, 80]

/** How many visits a day has: growing, with its weekends, and many more when something new came out. */
export function visitsOn(history: History, day: number): number {
  const { happens, between } = chances(seeded(1000 + day))
  const grown = AT_FIRST + (IN_THE_END - AT_FIRST) * (day / Math.max(1, history.days - 1)) ** 1.3
  const weekday = WEEK[new Date(startOfDay(history, day)).getUTCDay()]!
  const news = LAUNCH[day - history.launch] ?? 1
  const quiet = happens(0.04) ? 0.7 : 1
  return Math.round(grown * weekday * news * quiet * between(0.88, 1.12))
}

/** How busy each hour of a day is, where the viewer lives. */
const HOURS = [3, 2, 1, 1, 1, 1, 2, 5, 7, 7, 6, 7, 10, 9, 7, 6, 7, 9, 12, 15, 18, 18, 14, 8].map(
  (weight, hour) => ({
    weight,
    hour,
  }),
)

/** A moment of a day at which somebody there would look at films. */
export function momentOn(history: History, day: number, ahead: number, { pick, next }: Chances): number {
  const { hour } = pick(HOURS)
  const hours = (((hour + next() - ahead) % 24) + 24) % 24
  return Math.floor(startOfDay(history, day) + hours * 3_600_000)
}
