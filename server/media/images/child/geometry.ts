import { MAX_SIDE, type Sides } from '../inspect/limits.ts'
import type { COMPASS, FocalPoint, Gravity, ResizeRequest } from '../port.ts'

export type WantedBox = Pick<ResizeRequest, 'width' | 'height' | 'fit' | 'format' | 'rotate' | 'flip'>
type Compass = (typeof COMPASS)[number]

/** One less than all others: it has 14 bits for a side. */
const MAX_WEBP_SIDE = 16_383

export interface Area extends Sides {
  left: number
  top: number
}

/** Whether turning exchanges width and height. */
export const isTurned = ({ rotate }: Pick<WantedBox, 'rotate'>) => rotate === 90 || rotate === 270

/**
 * The box asked for as that of the picture before it is turned, made smaller in proportion until the picture fills
 * it without being enlarged.
 */
export function boxWithin(image: Sides, asked: WantedBox) {
  const most = asked.format === 'webp' ? MAX_WEBP_SIDE : MAX_SIDE
  const { fit } = asked
  const [width, height] = isTurned(asked) ? [asked.height, asked.width] : [asked.width, asked.height]
  if (fit === 'contain' || !width || !height)
    return {
      width: Math.min(width ?? most, most),
      height: Math.min(height ?? most, most),
      fit: 'inside',
    } as const
  const scale = Math.min(1, image.width / width, image.height / height, most / width, most / height)
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(width), height: scaled(height), fit } as const
}

/** How large the picture is when it just covers the box, and which part of it is kept around a point. */
export function windowAround(image: Sides, box: Sides, point: FocalPoint): { outer: Sides; window: Area } {
  const scale = Math.max(box.width / image.width, box.height / image.height)
  const outer = {
    width: Math.max(box.width, Math.round(image.width * scale)),
    height: Math.max(box.height, Math.round(image.height * scale)),
  }
  const start = (at: number, side: number, whole: number) =>
    Math.min(whole - side, Math.max(0, Math.round(at * whole - side / 2)))
  const left = start(point.x, box.width, outer.width)
  const top = start(point.y, box.height, outer.height)
  return { outer, window: { left, top, width: box.width, height: box.height } }
}

/** A point of the whole picture as one of a part of it; what lies outside is at the edge. */
export function pointWithin({ x, y }: FocalPoint, whole: Sides, area: Area): FocalPoint {
  const within = (at: number, start: number, side: number) => Math.min(1, Math.max(0, (at - start) / side))
  return {
    x: within(x * whole.width, area.left, area.width),
    y: within(y * whole.height, area.top, area.height),
  }
}

const PLACES: Record<Compass, [x: number, y: number]> = {
  center: [0.5, 0.5],
  north: [0.5, 0],
  northeast: [1, 0],
  east: [1, 0.5],
  southeast: [1, 1],
  south: [0.5, 1],
  southwest: [0, 1],
  west: [0, 0.5],
  northwest: [0, 0],
}

/** Which side of the picture becomes this side of what is sent. */
export function beforeTurning(
  gravity: Gravity,
  { rotate, flip }: Pick<WantedBox, 'rotate' | 'flip'>,
): Gravity {
  if (typeof gravity !== 'string' || gravity === 'smart') return gravity
  let [x, y] = PLACES[gravity]
  if (flip === 'h' || flip === 'both') x = 1 - x
  if (flip === 'v' || flip === 'both') y = 1 - y
  if (rotate === 90) [x, y] = [y, 1 - x]
  if (rotate === 180) [x, y] = [1 - x, 1 - y]
  if (rotate === 270) [x, y] = [1 - y, x]
  const found = Object.entries(PLACES).find(([, place]) => place[0] === x && place[1] === y)
  return found![0] as Compass
}
