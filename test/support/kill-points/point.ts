/** The header of the request in whose course the service is killed, or is watched. */
export const HEADER = 'x-kill-point'

/** The setting that says which file recordings are appended to. */
export const RECORDED_IN = 'KILL_POINTS_FILE'

/** When something awaited has been begun, or when its end is known. */
export type Moment = 'begun' | 'done'

export interface Point {
  /** File and line, and which `await` of that line. */
  at: string
  moment: Moment
  /** Counted from 1: a line is passed several times. */
  time: number
}

export const written = ({ at, moment, time }: Point) => `${at} ${moment} ${time}`

export function readPoint(text: string): Point {
  const [at, moment, time] = text.split(' ')
  return { at: at!, moment: moment as Moment, time: Number(time) }
}
