import type { DemoSize } from '../command.ts'
import { aurora } from '../scenes/aurora.ts'
import { city } from '../scenes/city.ts'
import { dunes } from '../scenes/dunes.ts'
import { hills } from '../scenes/hills.ts'
import { rain } from '../scenes/rain.ts'
import type { Scene } from '../scenes/scene.ts'
import { underwater } from '../scenes/underwater.ts'
import type { Spoken } from './subtitles.ts'

export interface Film {
  slug: string
  /** What the uploaded file is called. */
  name: string
  /** Of its post. */
  description: string
  scene: Scene
  /** The second that its poster is taken from. */
  poster: number
  /** Seconds at which each begins. */
  chapters: [number, string][]
  /** By language. */
  subtitles: Record<string, Spoken[]>
  /** Seconds that are watched again and again. */
  hot: [number, number]
  /** How much it is liked, beside the others. */
  appeal: number
  /** The part of the days that was over when it came out, from 0 to 1. */
  since: number
}

/** The one whose launch is a day that stands out. */
export const LAUNCHED = 'northern-sky'

/** Those that came out first come first. */
const FILMS: Film[] = [
  {
    slug: 'ridge-after-ridge',
    name: 'Ridge after ridge.mp4',
    description: 'Five ridges, one evening. The mist comes up from the valleys as soon as the sun is gone.',
    scene: hills,
    poster: 9,
    chapters: [
      [0, 'Last light'],
      [9, 'Mist in the valleys'],
      [19, 'The near woods'],
    ],
    subtitles: {
      en: [
        [1, 5, 'The sun has been gone for ten minutes.'],
        [7, 12, 'What is far turns red, what is near turns blue.'],
        [14, 19, 'Between the ridges the mist fills up, slowly, like a bath.'],
        [20, 25, 'In an hour you will only see the line of the firs.'],
      ],
      de: [
        [1, 5, 'Die Sonne ist seit zehn Minuten weg.'],
        [7, 12, 'Das Ferne wird rot, das Nahe wird blau.'],
        [14, 19, 'Zwischen den Kämmen steigt der Nebel, langsam wie in einer Wanne.'],
        [20, 25, 'In einer Stunde sieht man nur noch die Linie der Tannen.'],
      ],
    },
    hot: [10, 15],
    appeal: 1,
    since: 0,
  },
  {
    slug: 'rain-on-the-glass',
    name: 'Rain on the glass.mp4',
    description: 'A window, a street behind it, and nowhere to go. Made for phones held upright.',
    scene: rain,
    poster: 8,
    chapters: [],
    subtitles: {},
    hot: [12, 16],
    appeal: 1.35,
    since: 0,
  },
  {
    slug: 'lights-on-the-quay',
    name: 'Lights on the quay.mp4',
    description: 'From the last of the dusk until the windows are lit. A boat goes by, the cars do not stop.',
    scene: city,
    poster: 22,
    chapters: [
      [0, 'Dusk'],
      [8, 'The first windows'],
      [15, 'Blue hour'],
      [23, 'Night'],
    ],
    subtitles: {},
    hot: [14, 19],
    appeal: 1.15,
    since: 0.12,
  },
  {
    slug: 'under-the-surface',
    name: 'Under the surface.mp4',
    description: 'Twelve metres down: beams, sand, and three jellyfish that are in no hurry.',
    scene: underwater,
    poster: 6,
    chapters: [
      [0, 'Beams'],
      [8, 'Jellyfish'],
      [18, 'Going up'],
    ],
    subtitles: {
      en: [
        [2, 6, 'Twelve metres below, the light still finds its way.'],
        [9, 14, 'A jellyfish has no plan. It beats, and the current does the rest.'],
        [18, 23, 'Everything that drifts is on its way up.'],
      ],
      es: [
        [2, 6, 'A doce metros, la luz todavía encuentra su camino.'],
        [9, 14, 'Una medusa no tiene plan. Late, y la corriente hace el resto.'],
        [18, 23, 'Todo lo que flota va hacia arriba.'],
      ],
    },
    hot: [8, 13],
    appeal: 1.2,
    since: 0.28,
  },
  {
    slug: 'one-day-of-sand',
    name: 'One day of sand.mp4',
    description: 'The same dunes from the first light to the last. Watch the shadows of the clouds.',
    scene: dunes,
    poster: 27,
    chapters: [
      [0, 'Morning'],
      [9, 'Forenoon'],
      [17, 'Noon'],
      [24, 'Evening'],
    ],
    subtitles: {},
    hot: [23, 28],
    appeal: 0.9,
    since: 0.5,
  },
  {
    slug: LAUNCHED,
    name: 'Northern sky.mp4',
    description: 'Half a minute of aurora over a lake that lies still. Best with the lights off.',
    scene: aurora,
    poster: 14,
    chapters: [
      [0, 'Still water'],
      [8, 'The first curtain'],
      [20, 'Violet'],
    ],
    subtitles: {
      en: [
        [2, 6, 'It begins as a grey band that could be a cloud.'],
        [9, 14, 'Then it moves, and no cloud moves like this.'],
        [20, 26, 'The violet is there all the time. The camera sees it first.'],
      ],
      de: [
        [2, 6, 'Es beginnt als graues Band, das eine Wolke sein könnte.'],
        [9, 14, 'Dann bewegt es sich, und keine Wolke bewegt sich so.'],
        [20, 26, 'Das Violett ist immer da. Die Kamera sieht es zuerst.'],
      ],
    },
    hot: [20, 25],
    appeal: 2.4,
    since: 0.69,
  },
]

/** The films of a demo of this size. */
export function filmsOf(size: Pick<DemoSize, 'films' | 'seconds'>): Film[] {
  return FILMS.slice(0, size.films).map((film) => shortened(film, size.seconds))
}

function shortened(film: Film, most: number): Film {
  const seconds = Math.min(most, film.scene.seconds)
  const hotTo = film.hot[1]
  return {
    ...film,
    scene: { ...film.scene, seconds },
    poster: Math.min(film.poster, seconds / 2),
    chapters: film.chapters.filter(([from]) => from < seconds),
    hot: hotTo < seconds ? film.hot : [seconds * 0.4, seconds * 0.7],
  }
}
