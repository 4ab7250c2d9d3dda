import type { Track } from './download.ts'
import type { Variant } from './playlist.ts'
import { isHdr, isInterlaced, isTurned, shapeOf, type VideoFacts } from './probe.ts'

/** Profiles that Apple's rules allow: baseline, main, high. */
const PROFILES = [66, 77, 100]

/** That the stream is what the playlist says, and one that any player can show. */
export function checkPicture(
  variant: Variant,
  track: Track,
  facts: VideoFacts,
  source: VideoFacts,
): string[] {
  const problems: string[] = []
  const must = (condition: boolean, problem: string) => condition || problems.push(problem)
  const { width, height } = facts
  const declared = `${variant.width}x${variant.height}`
  must(declared === `${width}x${height}`, `RESOLUTION=${declared}, but it is ${width}x${height}`)
  // Both sides are rounded to whole pixels, and mostly to even ones.
  const shape = shapeOf(source)
  must(
    Math.abs(width - height * shape) <= 1.01 + 1.01 * shape,
    `${width}x${height} is not the shape of the source, ${shape.toFixed(3)}`,
  )
  must(facts.codec_name === 'h264', `the video is ${facts.codec_name}`)
  const profile = Number.parseInt(track.init!.codec.slice(5, 7), 16)
  must(PROFILES.includes(profile), `the profile ${facts.profile} is not one that every player knows`)
  must(facts.level <= 52, `the level ${facts.level / 10} is above 5.2`)
  must(facts.pix_fmt === 'yuv420p', `the pixels are ${facts.pix_fmt}`)
  must(/^(1:1|0:1)$/.test(facts.sample_aspect_ratio ?? '1:1'), `pixels of ${facts.sample_aspect_ratio}`)
  must(track.init!.isUpright && !isTurned(facts), 'the picture is turned by a matrix')
  must(!isHdr(facts), `the colours are ${facts.color_primaries} ${facts.color_transfer}`)
  must(!isInterlaced(facts), `the picture is interlaced (${facts.field_order})`)
  return problems
}

/** That CODECS names what is in the variant and in its audio, and nothing else. */
export function checkCodecs(variant: Variant, tracks: Track[]): string[] {
  const declared = new Set(variant.codecs.map((codec) => codec.toLowerCase()))
  // Subtitles may be named or not.
  declared.delete('wvtt')
  const real = new Set(tracks.map((track) => track.init!.codec.toLowerCase()))
  if ([...declared].sort().join() === [...real].sort().join()) return []
  return [`CODECS="${variant.codecs.join(',')}", but they are ${[...real].join(',')}`]
}

/** FRAME-RATE is the highest by RFC 8216; for a steady video that is the average as well. */
export function checkFrameRate(variant: Variant, times: number[]): string[] {
  if (times.length < 2) return []
  const steps = times.slice(1).map((time, i) => time - times[i]!)
  const average = steps.length / (times.at(-1)! - times[0]!)
  const highest = 1 / steps.reduce((least, step) => Math.min(least, step))
  if (variant.frameRate >= average * 0.98 && variant.frameRate <= highest * 1.02) return []
  return [
    `FRAME-RATE=${variant.frameRate}, but the average is ${average.toFixed(3)} and the highest ${highest.toFixed(3)}`,
  ]
}
