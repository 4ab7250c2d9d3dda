import { clamp, type Pixel } from './colour.ts'
import type { Raster } from './raster.ts'

/** Heights of a land that goes on in all directions: the map of one square unit, repeated. */
export interface Land {
  size: number
  heights: Float32Array
}

/** `height` is asked with coordinates from 0 to 1, and should be the same at both. */
export function makeLand(size: number, height: (u: number, v: number) => number): Land {
  const heights = new Float32Array(size * size)
  for (let z = 0, i = 0; z < size; z++)
    for (let x = 0; x < size; x++, i++) heights[i] = height(x / size, z / size)
  return { size, heights }
}

function heightAt({ size, heights }: Land, x: number, z: number): number {
  const fx = (x - Math.floor(x)) * size
  const fz = (z - Math.floor(z)) * size
  const x0 = fx | 0
  const z0 = fz | 0
  const x1 = x0 + 1 === size ? 0 : x0 + 1
  const z1 = (z0 + 1 === size ? 0 : z0 + 1) * size
  const row = z0 * size
  const u = fx - x0
  const v = fz - z0
  const near = heights[row + x0]! * (1 - u) + heights[row + x1]! * u
  const far = heights[z1 + x0]! * (1 - u) + heights[z1 + x1]! * u
  return near * (1 - v) + far * v
}

/** What is known of a point of the land that is seen. */
export interface Ground {
  x: number
  z: number
  height: number
  distance: number
  /** How much it looks up: 1 for flat ground. */
  flatness: number
  /** From the sun: 0 in the shadow, 1 where it shines straight on. */
  light: number
  /** How open it is to the sky on the side that looks up. */
  sky: number
}

export interface View {
  width: number
  height: number
  land: Land
  /** Where the eye is, how high, and where it looks to, in turns. */
  eye: { x: number; z: number; height: number; heading: number }
  /** The row of the horizon, as a part of the height; and the width of the picture over the distance to it. */
  horizon: number
  focal: number
  near: number
  far: number
  /** Where the light comes from: turns from where the eye looks, and its height over the horizon (as a slope). */
  sun: { heading: number; slope: number }
  paint(out: Pixel, ground: Ground): void
}

/** Of the distance from one sample to the next. */
const STEP = 0.004

/**
 * A view over land, column by column from near to far: each sample that is higher on the screen than all before covers
 * the rows between. Nothing is painted where the sky is.
 */
export function renderLand(view: View): Raster {
  const { width, height, land, eye, near, far } = view
  const data = new Uint8ClampedArray(width * height * 4)
  const out = new Float32Array(4)
  const ground: Ground = { x: 0, z: 0, height: 0, distance: 0, flatness: 1, light: 0, sky: 0 }
  const focal = view.focal * width
  const horizon = view.horizon * height
  const angle = eye.heading * Math.PI * 2
  const [forwardX, forwardZ] = [Math.sin(angle), Math.cos(angle)]
  const sunAngle = angle + view.sun.heading * Math.PI * 2
  const sun = { x: Math.sin(sunAngle), z: Math.cos(sunAngle), slope: view.sun.slope }

  for (let column = 0; column < width; column++) {
    const side = (column - width / 2) / focal
    const dirX = forwardX + forwardZ * side
    const dirZ = forwardZ - forwardX * side
    let covered = height
    let [lastRow, lastT] = [height * 4, near]
    for (let t = near; t < far && covered > 0; t *= 1 + STEP) {
      const h = heightAt(land, eye.x + dirX * t, eye.z + dirZ * t)
      const row = horizon - ((h - eye.height) / t) * focal
      for (let y = Math.ceil(covered) - 1; y >= Math.max(0, row); y--) {
        const share = lastRow > row ? clamp((lastRow - y) / (lastRow - row)) : 1
        const at = lastT + (t - lastT) * share
        ground.x = eye.x + dirX * at
        ground.z = eye.z + dirZ * at
        ground.distance = at
        lightUp(land, sun, ground)
        out[3] = 1
        view.paint(out, ground)
        const i = (y * width + column) * 4
        for (let c = 0; c < 3; c++) data[i + c] = out[c]! * 255 + ((y * 7 + column * 3 + c) % 8) / 8 - 0.5
        data[i + 3] = 255
      }
      if (row < covered) covered = Math.max(0, Math.ceil(row))
      lastRow = row
      lastT = t
    }
  }
  return { width, height, data }
}

const SHADOW_STEPS = 17

function lightUp(land: Land, sun: { x: number; z: number; slope: number }, ground: Ground): void {
  const { x, z, distance } = ground
  const h = heightAt(land, x, z)
  const around = Math.max(1 / land.size, distance * 0.0015)
  const slopeX = (heightAt(land, x + around, z) - heightAt(land, x - around, z)) / (2 * around)
  const slopeZ = (heightAt(land, x, z + around) - heightAt(land, x, z - around)) / (2 * around)
  const length = Math.sqrt(slopeX * slopeX + slopeZ * slopeZ + 1)
  const sunLength = Math.sqrt(1 + sun.slope * sun.slope)
  ground.height = h
  ground.flatness = 1 / length
  ground.sky = 0.5 + 0.5 / length
  let light = (sun.slope - slopeX * sun.x - slopeZ * sun.z) / (length * sunLength)
  // What stands between the point and the sun, with a soft edge.
  for (let i = 1, reach = around * 1.5; i <= SHADOW_STEPS && light > 0; i++, reach *= 1.3) {
    const above = h + reach * sun.slope - heightAt(land, x + sun.x * reach, z + sun.z * reach)
    light = Math.min(light, Math.max(0, (above / reach) * 14 + 0.25))
  }
  ground.light = clamp(light)
}
