import type { Film } from './films.ts'
import type { DemoPicture } from './pictures.ts'

export interface DemoFeed {
  slug: string
  name: string
  description: string
  visibility: 'public' | 'private'
  shows(one: Film | DemoPicture): boolean
}

/** The one that viewers come to. */
export const MAIN_FEED = 'quiet-places'

/** For the screen in the entrance: nothing upright, and no pictures but wide ones. */
const isWide = (one: Film | DemoPicture) =>
  'scene' in one ? one.scene.width > one.scene.height : one.width >= one.height * 1.5

export const FEEDS: DemoFeed[] = [
  {
    slug: MAIN_FEED,
    name: 'Quiet places',
    description: 'Films of half a minute and a few pictures, for a break. Something new every other week.',
    visibility: 'public',
    shows: () => true,
  },
  {
    slug: 'entrance',
    name: 'Screen in the entrance',
    description: 'What runs on the wall downstairs. Wide pictures only.',
    visibility: 'private',
    shows: isWide,
  },
]

const LANGUAGES: Record<string, string> = { en: 'English', de: 'Deutsch', es: 'Español' }

export const languageName = (code: string) => LANGUAGES[code] ?? code
