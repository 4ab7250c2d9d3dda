const SRGB_AREA = triangleArea([
  [0.6485, 0.3309],
  [0.3212, 0.5979],
  [0.1559, 0.066],
])
// Profiles that mean sRGB differ from it in the third digit; Display P3 has 1.36 times its area.
const NOTICEABLY_WIDER = 1.1
const MAX_KEPT_BYTES = 16 * 1024

/** Whether an RGB profile shows colours that sRGB has not, and is plain enough to be passed on. */
export function isWideGamut(profile: Buffer | undefined): boolean {
  if (!profile || profile.length > MAX_KEPT_BYTES || !isRgbProfile(profile)) return false
  try {
    const corners = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => chromaticity(profile, tag))
    return triangleArea(corners) > SRGB_AREA * NOTICEABLY_WIDER
  } catch {
    return false
  }
}

export function isRgbProfile(profile: Buffer): boolean {
  return profile.toString('latin1', 16, 20) === 'RGB '
}

/** ICC.1:2022, 7.3 and 10.31: a table of tags, and in these three the XYZ of a primary. */
function chromaticity(profile: Buffer, tag: string): [x: number, y: number] {
  for (let i = 0, at = 132; i < profile.readUInt32BE(128); i++, at += 12) {
    if (profile.toString('latin1', at, at + 4) !== tag) continue
    const value = profile.readUInt32BE(at + 4) + 8
    const [x, y, z] = [0, 4, 8].map((offset) => profile.readInt32BE(value + offset) / 65536) as [
      number,
      number,
      number,
    ]
    return [x / (x + y + z), y / (x + y + z)]
  }
  throw new Error('the profile has no such tag')
}

function triangleArea(corners: [x: number, y: number][]): number {
  const [[ax, ay], [bx, by], [cx, cy]] = corners as [[number, number], [number, number], [number, number]]
  return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
}
