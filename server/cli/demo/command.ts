import { StartupError } from '../../base/errors.ts'
import type { Parsed, Server } from '../command.ts'
import type { Removal } from './remove-demo.ts'
import type { DemoAnswer } from './run-demo.ts'

/** What there is. Told here, so that other commands do not load what draws it. */
const [MOST_FILMS, MOST_PICTURES, MOST_SECONDS, MOST_DAYS] = [6, 12, 60, 365]

export const DEMO: Server = {
  name: 'demo',
  about: 'Fill a project named Demo with films, pictures and viewers of ninety days; or take it away',
  options: {
    remove: { about: 'Take the demo away, with everything that belongs to it', isFlag: true },
    url: { about: 'The service; MARQUEE_BASE_URL, or the one that was started here', value: 'address' },
    org: { about: 'The organization that gets the project; the first one unless told', value: 'org_id' },
    films: { about: `How many films, at most ${MOST_FILMS}`, value: 'number', fallback: String(MOST_FILMS) },
    pictures: {
      about: `How many pictures, at most ${MOST_PICTURES}`,
      value: 'number',
      fallback: String(MOST_PICTURES),
    },
    seconds: { about: 'How long films are at most', value: 'number', fallback: String(MOST_SECONDS) },
    days: { about: 'Of how many days there are viewers', value: 'number', fallback: '90' },
  },
}

/** How much of everything there is. */
export interface DemoSize {
  films: number
  pictures: number
  /** No film is longer. */
  seconds: number
  days: number
}

/** How much of everything is asked for. */
export function sizeOf({ values }: Parsed): DemoSize {
  return {
    films: upTo('films', values.films!, MOST_FILMS),
    pictures: upTo('pictures', values.pictures!, MOST_PICTURES),
    seconds: upTo('seconds', values.seconds!, MOST_SECONDS),
    days: upTo('days', values.days!, MOST_DAYS),
  }
}

function upTo(option: string, given: string, most: number): number {
  const number = Number(given)
  if (!/^\d{1,3}$/.test(given) || number < 1 || number > most)
    throw new StartupError(`--${option} "${given}" is not a whole number from 1 to ${most}.`)
  return number
}

/** What is printed for people. */
export function wordsOfDemo(result: DemoAnswer | Removal): string {
  if ('removed' in result) {
    if (!result.removed) return 'There is no demo here.\n'
    const rest = result.isAllGone ? '' : ' Its bytes and events go once the service runs.'
    return `The demo is gone.${rest}\n`
  }
  const opening = result.was_there ? 'The demo is there already.' : 'The demo is there.'
  return `${opening} To see it:

  ${result.console}
  ${result.feed}

Project ${result.project_id}, key ${result.api_key}
It is taken away by: npm run marquee -- demo --remove
`
}
