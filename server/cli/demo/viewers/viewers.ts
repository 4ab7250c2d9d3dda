import type { Schemas } from '../../../../packages/client/src/node.ts'
import { seeded } from '../draw/random.ts'
import { type History, momentOn, visitsOn } from './calendar.ts'
import { type Chances, chances } from './chances.ts'
import { meet, type Person } from './people.ts'
import { before, type Shown, visit } from './visit.ts'

/** What one viewer did in all the time: the body of one request. */
export type ViewerEvents = Schemas['TrackEventsRequest']

interface Known {
  person: Person
  visits: number
  /** Days on which they came. */
  last: number
  events: ViewerEvents['events']
  draw: Chances
}

/** About half of the visits are by those who have come before. */
const RETURNING = 0.55

/**
 * Everybody who came in these days, with all that they did, the same for the same history and the same things to see.
 * A viewer is at one place with one browser, so that one request tells everything of them.
 */
export function viewersOf(history: History, shown: Shown): ViewerEvents[] {
  const known: Known[] = []
  for (let day = 0; day < history.days; day++) {
    const draw = chances(seeded(5000 + day))
    for (let visits = visitsOn(history, day); visits > 0; visits--) {
      const viewer = returning(known, day, draw) ?? newcomer(known)
      const begins = momentOn(history, day, viewer.person.country.ahead, viewer.draw)
      if (begins > history.until) continue
      const deps = { person: viewer.person, shown, history, chances: viewer.draw }
      viewer.events.push(...before(visit(deps, day, begins, ++viewer.visits), history))
      viewer.last = day
    }
  }
  return known.filter(({ events }) => events.length > 0).map(requestOf)
}

/** Who came lately comes again rather than who came long ago. */
function returning(known: Known[], day: number, { happens, next }: Chances): Known | undefined {
  if (known.length < 20 || !happens(RETURNING)) return undefined
  const recent = known[Math.floor(known.length * (1 - next() ** 1.8))]
  if (!recent || recent.last === day || !happens(Math.min(1, recent.person.keen / 1.6))) return undefined
  return recent
}

function newcomer(known: Known[]): Known {
  const draw = chances(seeded(20_000 + known.length))
  const viewer: Known = { person: meet(known.length + 1, draw), visits: 0, last: -1, events: [], draw }
  known.push(viewer)
  return viewer
}

const MOST_EVENTS = 1000

function requestOf({ person, events }: Known): ViewerEvents {
  const { country, machine } = person
  return {
    user_id: person.id,
    country: country.code,
    city: person.city,
    device: machine.device,
    os: machine.os,
    ...(machine.osVersion && { os_version: machine.osVersion }),
    language: country.language,
    browser: machine.browser,
    events: events.slice(0, MOST_EVENTS),
  }
}
