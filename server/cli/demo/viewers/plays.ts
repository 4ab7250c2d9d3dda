import type { Film } from '../library/films.ts'
import type { Chances } from './chances.ts'

/** What somebody watched of a film. */
export interface Play {
  /** From second to second, in the order in which they were watched. */
  passes: [number, number][]
  isComplete: boolean
}

/** Few leave at once, some on the way, more than a third stay; the part that is talked about is watched again. */
export function watchFilm(film: Film, keen: number, { happens, between, next }: Chances): Play {
  const { seconds } = film.scene
  const [hotFrom, hotTo] = film.hot
  const around = () => between(-0.8, 0.8)
  if (happens(0.12)) {
    // Somebody has sent them a link to that part.
    const first = between(1, 3)
    return {
      passes: [
        [0, first],
        [hotFrom + around(), hotTo + between(0, 2)],
      ],
      isComplete: false,
    }
  }
  const passes: [number, number][] = []
  const isComplete = happens(Math.min(0.78, 0.42 * keen))
  const left = isComplete ? seconds : happens(0.3) ? between(0.8, seconds * 0.12) : leaving(film, next())
  passes.push([0, left])
  for (let again = 0.5 * keen; left > hotTo && passes.length < 5 && happens(again); again *= 0.8)
    passes.push([hotFrom + around(), hotTo + around()])
  return { passes: passes.map(([from, to]) => [round(from), round(Math.min(seconds, to))]), isComplete }
}

/** When somebody goes who does not stay: rather early than late, and hardly ever just before the best part. */
function leaving({ scene: { seconds }, hot: [from, to] }: Film, chance: number): number {
  const at = seconds * (0.12 + 0.86 * chance ** 1.35)
  return at > from - 1.5 && at < to ? to + chance : at
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

export const lengthOf = ({ passes }: Play) => passes.reduce((sum, [from, to]) => sum + to - from, 0)
