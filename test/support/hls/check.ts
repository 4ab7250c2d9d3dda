import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { checkBandwidth } from './bandwidth.ts'
import { checkDecoding } from './decoding.ts'
import { download, get, PLAYLIST, type Track } from './download.ts'
import { checkFrames, type FrameTimes } from './frames.ts'
import { languageOf } from './language.ts'
import { checkCodecs, checkFrameRate, checkPicture } from './picture.ts'
import { type Multivariant, parseMultivariant, type Rendition, type Variant } from './playlist.ts'
import { videoFacts } from './probe.ts'
import { checkSound } from './sound.ts'
import { readSource, type Source } from './source.ts'
import { checkLikeness, usualFloor } from './ssim.ts'
import { checkSubtitles } from './subtitles.ts'
import { checkAlignment, checkTiming, endOf, timesOf } from './timing.ts'

export interface Expectation {
  /** The file that was uploaded. */
  source: string
  /** How many frames there should be, if not as many as in the source. */
  frames?: number
  /**
   * `source`: each frame at its time in the source. `held`: those, and others between or after them where
   * a picture stays. `subset`: only some of the source's. `skip`: anything.
   */
  frameTimes?: FrameTimes
  /** The least SSIM of a rung; null leaves pictures alone. */
  ssimFloor?: ((height: number) => number) | null
  /** Whether there is to be sound, if not as in the source. */
  hasAudio?: boolean
  /** Where the sound came from, if not from the source. */
  audioSource?: string
  /** How many renditions of sound, and of subtitles. */
  audioTracks?: number
  subtitles?: number
  /** All segments were made before the playlist was written: its average bit rate is a fact. */
  settled?: boolean
}

/** Downloads a video in all its renditions and tells what is wrong with it; nothing, at best. */
export async function checkHls(url: string, expected: Expectation): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'hls-check-'))
  try {
    return await check(new URL(url), expected, folder)
  } catch (error) {
    return [(error as Error).message]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function check(url: URL, expected: Expectation, folder: string): Promise<string[]> {
  const problems: string[] = []
  const multivariant = parseMultivariant((await get(url, PLAYLIST, problems)).toString())
  problems.push(...multivariant.problems)
  const tracks = await downloadAll(url, multivariant, folder)
  for (const track of tracks.values()) {
    if (!multivariant.independentSegments && !track.playlist.independentSegments && track.kind === 'video')
      track.problems.push('#EXT-X-INDEPENDENT-SEGMENTS is missing')
    problems.push(...track.problems.map((problem) => `${track.label}: ${problem}`))
  }
  // What could not be read has been reported; the rest of it would be about nothing.
  const isWhole = (track: Track) =>
    track.pieces.length === track.playlist.segments.length && track.pieces.length > 0
  const whole = new Map([...tracks].filter(([, track]) => isWhole(track)))
  const source = await readSource(expected.source, expected.audioSource)
  problems.push(...checkCounts(multivariant, source, expected))
  problems.push(...(await checkTracks(multivariant, whole, source, expected)))
  return problems
}

async function downloadAll(url: URL, { variants, renditions }: Multivariant, folder: string) {
  const wanted = [
    ...variants.map(({ uri, height }) => ({ uri, kind: 'video' as const, label: `${height}p` })),
    ...renditions.map((rendition) => ({
      uri: rendition.uri ?? '',
      kind: rendition.type === 'AUDIO' ? ('audio' as const) : ('subtitles' as const),
      label: `${rendition.type.toLowerCase()} ${rendition.group} ${rendition.name}`,
    })),
  ]
  const unique = new Map(wanted.filter((one) => one.uri).map((one) => [one.uri, one]))
  const tracks = [...unique.values()].map(async ({ uri, kind, label }, i) => {
    const place = await mkdtemp(path.join(folder, `${i}-`))
    return [uri, await download(new URL(uri, url), kind, label, place)] as const
  })
  return new Map(await Promise.all(tracks))
}

function checkCounts({ renditions }: Multivariant, source: Source, expected: Expectation): string[] {
  const problems: string[] = []
  const { hasAudio = source.languages.length > 0, audioTracks, subtitles } = expected
  const largest = (type: string) => {
    const groups = Map.groupBy(
      renditions.filter((one) => one.type === type),
      (one) => one.group,
    )
    return Math.max(0, ...[...groups.values()].map((members) => members.length))
  }
  const audio = largest('AUDIO')
  if (audio > 0 !== hasAudio)
    problems.push(hasAudio ? 'there is no sound' : 'there is sound where none should be')
  if (audioTracks !== undefined && audio !== audioTracks)
    problems.push(`${audio} renditions of sound instead of ${audioTracks}`)
  if (subtitles !== undefined && largest('SUBTITLES') !== subtitles)
    problems.push(`${largest('SUBTITLES')} renditions of subtitles instead of ${subtitles}`)
  return problems
}

async function checkTracks(
  { variants, renditions }: Multivariant,
  tracks: Map<string, Track>,
  source: Source,
  expected: Expectation,
): Promise<string[]> {
  const of = (kind: Track['kind']) => [...tracks.values()].filter((track) => track.kind === kind)
  const videoEnd = Math.max(0, ...of('video').map(endOf))
  const about = async ({ label }: Track, check: string[] | Promise<string[]>) => {
    const found = await Promise.resolve(check).catch((error: Error) => [error.message])
    return found.map((problem) => `${label}: ${problem}`)
  }
  const checks = [
    checkAlignment(of('video'), of('audio')),
    ...[...of('video'), ...of('audio')].flatMap((track) => [
      about(track, checkTiming(track)),
      about(track, checkDecoding(track)),
    ]),
    ...variants.map((variant) => {
      const track = tracks.get(variant.uri)
      const audios = renditions.flatMap((one) => (one.group === variant.audio && tracks.get(one.uri!)) || [])
      return track ? about(track, checkVariant(variant, track, audios, source, expected)) : []
    }),
    ...of('subtitles').map((track) => about(track, checkSubtitles(track, videoEnd))),
    ...renditions.map(async (rendition) => {
      const track = tracks.get(rendition.uri!)
      if (track?.kind !== 'audio' || source.languages.length === 0) return []
      const sound = await source.sound(streamOf(rendition, renditions, source))
      return about(track, checkSound(track, videoEnd, sound))
    }),
  ]
  return (await Promise.all(checks)).flat()
}

/** Which of the source's audio streams a rendition is: that of its language, or else of its place. */
function streamOf(rendition: Rendition, renditions: Rendition[], { languages }: Source): number {
  const group = renditions.filter(({ type, group }) => type === 'AUDIO' && group === rendition.group)
  const place = Math.min(group.indexOf(rendition), languages.length - 1)
  const [wanted, ...given] = [rendition.language, ...languages].map((tag) => tag && languageOf(tag))
  const alike = given.flatMap((language, i) => (language && language === wanted ? [i] : []))
  return alike.length === 1 ? alike[0]! : place
}

async function checkVariant(
  variant: Variant,
  track: Track,
  audios: Track[],
  source: Source,
  expected: Expectation,
): Promise<string[]> {
  const [times, facts] = [timesOf(track), await videoFacts(track.file)]
  const { ssimFloor = usualFloor, settled = false } = expected
  const sides = [
    { file: track.file, facts },
    { file: source.file, facts: source.video },
  ] as const
  return [
    ...checkBandwidth(variant, track, audios, settled),
    ...checkCodecs(variant, [track, ...audios]),
    ...checkPicture(variant, track, facts, source.video),
    ...checkFrameRate(variant, times),
    ...checkFrames(times, source.times, expected),
    ...(ssimFloor ? await checkLikeness(sides[0], times.length, sides[1], ssimFloor(facts.height)) : []),
  ]
}
