import { text } from 'node:stream/consumers'
import type { CopiedSound } from './aac-packets.ts'
import { tryCopying } from './copy-audio.ts'
import { MediaProgramFailed } from './errors.ts'
import { type ExtractedSubtitles, extractSubtitles } from './extract-subtitles.ts'
import { codecOf } from './init-segment.ts'
import type { Quality } from './ladder.ts'
import { copyPictures } from './make-video.ts'
import type { AudioRendition, Planned, PlaybackPlan, VideoFacts } from './plan.ts'
import { planInChild } from './planner/plan-in-child.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, runProgram } from './program.ts'
import type { ClipWindow } from './window.ts'

export interface Study {
  facts: VideoFacts
  chapters: Planned['chapters']
  /** What the file calls itself; empty where it does not. */
  title: string
  subtitles: Promise<ExtractedSubtitles[]>
  /** A plan to look at the file by. */
  draft: PlaybackPlan
  /** The plan to play it by: trying out what can be decoded and copied takes a moment. */
  plan: Promise<PlaybackPlan>
}

/** Finds out what a file is and how it is to be played. Throws UnsupportedVideo. */
export async function studyVideo(
  tools: MediaTools,
  source: string,
  quality: Quality,
  window?: ClipWindow,
): Promise<Study> {
  const planned = await planInChild(tools, source, { quality, window })
  const { facts, chapters, title, plan: draft, encoded } = planned
  const plan = settle()
  plan.catch(() => {})
  // A part of a file has its subtitles from whoever took it.
  const { zero, timeBase } = draft.source
  const streams = window ? [] : planned.subtitles
  const subtitles = extractSubtitles(tools, source, { streams, zero: (zero * timeBase.num) / timeBase.den })
  subtitles.catch(() => {})
  return { facts, chapters, title, subtitles, draft, plan }

  async function settle(): Promise<PlaybackPlan> {
    const [codec, { pictures, sounds }, copies] = await Promise.all([
      codecOfCopy(tools, source, draft),
      tryOut(tools, source, draft),
      copiedSounds(tools, source, planned),
    ])
    // What looks as if it could be copied and cannot is encoded: that mends what a decoder can mend.
    const isCopied = codec !== undefined && pictures
    const video = isCopied ? draft.video.map((one) => (one.copied ? { ...one, codec } : one)) : encoded.video
    const silent = draft.audio.filter((one) => !sounds.includes(one))
    const audio = sounds.map((one) => ({ ...one, copied: copies.get(one.stream) }))
    const notes = [...draft.notes!, ...silent.map(({ stream }) => leftOut(stream))]
    return { ...(isCopied ? draft : encoded), video, audio, notes }
  }
}

const leftOut = (stream: number) => `the sound in stream ${stream} cannot be decoded and is left out`

/** Copies a segment: only then is it known what a player is to be told. Undefined where none is copied. */
async function codecOfCopy(
  tools: MediaTools,
  source: string,
  plan: PlaybackPlan,
): Promise<string | undefined> {
  const rendition = plan.video.find((one) => one.copied)
  if (!rendition) return undefined
  let codec: string | undefined
  try {
    const run = { source, plan, renditions: [rendition], first: 0, end: 1, nice: 0 }
    await copyPictures(tools, run, rendition, async ({ init }) => {
      codec = codecOf(init)
    })
  } catch (error) {
    if (!(error instanceof MediaProgramFailed)) throw error
  }
  return codec
}

/** Those of a file's sounds that are passed on as they are, by their streams. */
async function copiedSounds(
  tools: MediaTools,
  source: string,
  { plan, copyable }: Planned,
): Promise<Map<number, CopiedSound>> {
  const { zero, timeBase } = plan.source
  const pictures = (zero * timeBase.num) / timeBase.den
  const copies = new Map<number, CopiedSound>()
  await Promise.all(
    plan.audio.map(async ({ stream, channels }) => {
      const candidate = copyable.find((one) => one.stream === stream)
      const copied =
        candidate && (await tryCopying(tools, { ...candidate, source, channels, nice: 0 }, pictures))
      if (copied) copies.set(stream, copied)
    }),
  )
  return copies
}

/** At each place that is tried; a key picture, and some that refer to it and to each other. */
const SAMPLE_PICTURES = 8
const LIMITS = { cpuSeconds: 60, memoryBytes: 6 * 2 ** 30 }

interface Decodable {
  /** Whether the pictures that would be copied decode without an error, at the beginning, in the middle and at the end. */
  pictures: boolean
  sounds: AudioRendition[]
}

/**
 * Tries out what of a file can be decoded. What is copied is decoded by players, which do not all get over what a
 * patient decoder does. Of sounds, some have no decoder at all, and of some not one block is whole: left out
 * here, they are not offered; found later, they would be offered and never come.
 */
async function tryOut(tools: MediaTools, source: string, plan: PlaybackPlan): Promise<Decodable> {
  const last = plan.segments.length - 1
  const isCopied = plan.video.some(({ copied }) => copied)
  const places = isCopied ? [...new Set([0, last >> 1, last])] : []
  const { audio } = plan
  if (places.length + audio.length === 0) return { pictures: true, sounds: [] }
  // By one program, which is all that most files take; a sound without a decoder ends it for all the others.
  const all = await decode(tools, source, plan, { places, audio })
  if (all.isClean && all.heard.every(Boolean)) return { pictures: true, sounds: audio }
  const [pictures, heard] = await Promise.all([
    places.length === 0 || decode(tools, source, plan, { places, audio: [] }).then(({ isClean }) => isClean),
    Promise.all(audio.map((one) => decode(tools, source, plan, { places: [], audio: [one] }))),
  ])
  return { pictures, sounds: audio.filter((_, i) => heard[i]!.heard[0]) }
}

/** Whether there was no error, and whether a block of each sound came out. */
async function decode(
  tools: MediaTools,
  source: string,
  { segments, source: { stream } }: PlaybackPlan,
  { places, audio }: { places: number[]; audio: AudioRendition[] },
): Promise<{ isClean: boolean; heard: boolean[] }> {
  // Sounds come first and by an input of their own: ffmpeg reads on in one that others have had enough of, and would
  // decode all of the pictures that come before the first sound, or all there are.
  const seeks = [...(audio.length > 0 ? [undefined] : []), ...places.map((number) => segments[number]!.seek)]
  const inputs = seeks.flatMap((seek) => [
    ...INPUT_GUARDS,
    ...(seek === undefined ? [] : ['-seek_timestamp', '1', '-ss', `${seek}us`, '-noaccurate_seek']),
    ...['-i', source],
  ])
  const first = audio.length > 0 ? 1 : 0
  const outputs = [
    ...audio.flatMap((one, i) => [
      ...['-map', `0:${one.stream}`, '-frames:a', '1', '-f', 'framecrc', `pipe:${3 + i}`],
    ]),
    ...places.flatMap((_, i) => [
      ...['-map', `${first + i}:${stream}`, '-frames:v', String(SAMPLE_PICTURES)],
      ...['-fps_mode', 'passthrough', '-f', 'null', '-'],
    ]),
  ]
  const strict = places.length > 0 ? ['-xerror'] : []
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: ['-nostdin', '-v', 'fatal', ...strict, '-copyts', ...inputs, ...outputs],
    inputs: [source],
    pipes: audio.length,
    discardsOutput: true,
    ...LIMITS,
  })
  const written = await Promise.all(program.pipes.map((pipe) => text(pipe)))
  const isClean = await program.ended.then(
    () => true,
    (error) => {
      if (error instanceof MediaProgramFailed) return false
      throw error
    },
  )
  return { isClean, heard: written.map((lines) => /^\d+,/m.test(lines)) }
}
