import type { Readable } from 'node:stream'
import { find, readBoxes, timescaleOf } from './boxes.ts'
import { MediaProgramFailed, NotAsListed } from './errors.ts'
import { type Mp4Sample, readFragment, writeSegment } from './fragments.ts'
import { parameterSets, unitLengthBytes, videoInit } from './init-segment.ts'
import { type EncodedRendition, encoder, inPlaceOf } from './picture-encoder.ts'
import { prepared, scaled } from './picture-filters.ts'
import type { PlaybackPlan, VideoRendition } from './plan.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, runProgram } from './program.ts'
import { CLOCK, ticks } from './timeline.ts'
import { withoutUserData } from './user-data.ts'

/** Segments `[first, end)` of some renditions, made by one program in one go. */
export interface VideoRun {
  source: string
  plan: PlaybackPlan
  renditions: VideoRendition[]
  first: number
  end: number
  nice: number
  signal?: AbortSignal
}

export interface MadeSegment {
  rendition: string
  number: number
  bytes: Buffer
  init: Buffer
}

type OnSegment = (segment: MadeSegment) => Promise<void>

const FRAGMENTS = ['frag_keyframe', 'empty_moov', 'default_base_moof', 'negative_cts_offsets', 'frag_discont']
/** Each key picture begins a fragment, which tells its times by the clock of the source. */
const AS_FRAGMENTS = [
  ...['-video_track_timescale', String(CLOCK), '-avoid_negative_ts', 'disabled', '-use_editlist', '0'],
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
  ...['-f', 'mp4', '-movflags', FRAGMENTS.map((flag) => `+${flag}`).join('')],
]
const MEMORY_BYTES = 12 * 2 ** 30

/** Whether segments can be made together: a picture that stays on is made by itself. */
export function runEnd(plan: PlaybackPlan, first: number, end: number): number {
  if (plan.segments[first]!.held) return first + 1
  const held = plan.segments.findIndex((segment, i) => i > first && i < end && segment.held)
  return held < 0 ? Math.min(end, plan.segments.length) : held
}

/** Makes a run and hands over its segments one by one, each as soon as it is there. */
export async function makeVideo(tools: MediaTools, run: VideoRun, onSegment: OnSegment): Promise<void> {
  const copied = run.renditions.filter((rendition) => rendition.copied)
  const encoded = run.renditions.filter((rendition) => !rendition.copied)
  if (copied[0]) await copyOrEncode(tools, run, copied[0], onSegment)
  if (encoded.length > 0) await encodePictures(tools, run, encoded, onSegment)
}

/**
 * Copies a run; where its pictures are not where the index says, what is left of it is encoded. Playlists and the
 * initialisation segment have been given out by then, so encoded segments are such as belong to them: of the
 * same profile, and with their own parameter sets, under another number, before each key picture.
 */
async function copyOrEncode(
  tools: MediaTools,
  run: VideoRun,
  rendition: VideoRendition,
  onSegment: OnSegment,
): Promise<void> {
  let { first } = run
  const counted: OnSegment = async (made) => {
    await onSegment(made)
    first = made.number + 1
  }
  try {
    await copyPictures(tools, run, rendition, counted)
  } catch (error) {
    if (!(error instanceof NotAsListed) || run.signal?.aborted || !error.init) throw error
    const { init } = error
    if (!parameterSets(init)) throw error
    const rest = { ...run, first }
    await encodePictures(tools, rest, [inPlaceOf(rendition)], (made) => onSegment({ ...made, init }))
  }
}

async function encodePictures(
  tools: MediaTools,
  run: VideoRun,
  renditions: EncodedRendition[],
  onSegment: OnSegment,
): Promise<void> {
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: encodingArgs(run, renditions),
    inputs: [run.source],
    pipes: renditions.length,
    discardsOutput: true,
    cpuSeconds: cpuLimit(run, renditions),
    memoryBytes: MEMORY_BYTES,
    nice: run.nice,
    signal: run.signal,
  })
  let failure: unknown
  try {
    // Where one fails, what the others hand over in this moment still belongs to the run.
    const counts = await Promise.all(
      renditions.map((rendition, i) =>
        takeSegments({ ...program, pipe: program.pipes[i]! }, run, rendition, 0, onSegment).catch((error) => {
          failure ??= error
          program.kill('not needed any more')
        }),
      ),
    )
    if (failure) throw failure
    const wanted = run.end - run.first
    if (counts.some((count) => count !== wanted))
      throw new MediaProgramFailed(`${counts} segments instead of ${wanted}`)
  } finally {
    program.kill('not needed any more')
  }
}

/** Copies a run, or throws NotAsListed. */
export async function copyPictures(
  tools: MediaTools,
  run: VideoRun,
  rendition: VideoRendition,
  onSegment: OnSegment,
): Promise<void> {
  const { stream, zero, timeBase } = run.plan.source
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: [
      ...inputArgs(run),
      ...['-map', `0:${stream}`, '-c:v', 'copy', '-copypriorss', '1', ...AS_FRAGMENTS, 'pipe:3'],
    ],
    inputs: [run.source],
    pipes: 1,
    discardsOutput: true,
    cpuSeconds: cpuLimit(run, []),
    memoryBytes: MEMORY_BYTES,
    nice: run.nice,
    signal: run.signal,
  })
  const shift = -ticks(zero, timeBase)
  try {
    const pipe = program.pipes[0]!
    const count = await takeSegments({ ...program, pipe }, run, rendition, shift, onSegment)
    if (count !== run.end - run.first)
      throw new NotAsListed(`${count} segments copied instead of ${run.end - run.first}`)
  } finally {
    program.kill('all that was wanted is there')
  }
}

/** Reads fragments, sorts their pictures into the run's segments and answers how many of those there were. */
async function takeSegments(
  { pipe, ended }: { pipe: Readable; ended: Promise<void> },
  { plan, first, end }: VideoRun,
  { name: rendition, copied, inPlace }: EncodedRendition,
  shift: number,
  onSegment: OnSegment,
): Promise<number> {
  const startOf = (number: number) => plan.segments[number]?.start ?? plan.end
  let init: Buffer | undefined
  let sets: Buffer | undefined
  let lengthBytes = 0
  let moof: Buffer | undefined
  let number = first
  let samples: Mp4Sample[] = []

  /** Of a copy, whatever does not fit is the fault of the file's index. */
  function inOrder<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (copied && error instanceof MediaProgramFailed) throw new NotAsListed(error.message, init)
      throw error
    }
  }

  function requirePlace(time: number): void {
    const isEarly = time < startOf(number) - ROUNDING
    const isLate = copied && samples.length === 0 && time > startOf(number) + ROUNDING
    if (isEarly || isLate) throw new MediaProgramFailed('a key picture out of place')
  }

  function reachesEnd(pictures: Mp4Sample[]): boolean {
    const last = pictures.reduce((latest, { time }) => Math.max(latest, time), 0)
    return last + (1.5 * CLOCK) / plan.source.framesPerSecond >= startOf(number + 1)
  }

  async function flush(): Promise<void> {
    if (samples.length === 0) return
    const place = { start: startOf(number), end: startOf(number + 1), number }
    const bytes = inOrder(() => writeSegment(samples, place))
    await onSegment({ rendition, number, bytes, init: init! })
    number++
    samples = []
  }

  for await (const { type, bytes } of readBoxes(pipe)) {
    if (type === 'moov') {
      if (timescaleOf(find(bytes, 'trak/mdia/mdhd')) !== CLOCK)
        throw new MediaProgramFailed('an unexpected clock')
      init = videoInit(bytes)
      sets = inPlace && parameterSets(bytes)
      lengthBytes = copied ? unitLengthBytes(bytes) : 0
    } else if (type === 'moof') moof = bytes
    else if (type === 'mdat' && moof) {
      const pictures = readFragment(moof, bytes).map((one) => ({ ...one, time: one.time + shift }))
      const time = pictures[0]!.time
      // A seek may end up before the place it was meant for.
      if (time < startOf(first) - ROUNDING) continue
      if (time >= startOf(number + 1) - ROUNDING) await flush()
      if (number >= end) return number - first
      inOrder(() => requirePlace(time))
      if (sets) pictures[0]!.data = Buffer.concat([sets, pictures[0]!.data])
      if (copied) for (const one of pictures) one.data = inOrder(() => withoutUserData(one.data, lengthBytes))
      samples.push(...pictures)
      // Only copies have further key pictures in a segment. A viewer need not wait for the next one's, unless this
      // may be all that a program could still write that fails: then how it ends decides.
      if (!copied && reachesEnd(pictures)) await flush()
    }
  }
  // What was cut off is not the whole of its last segment.
  await ended
  if (copied && number + 1 < end) throw new NotAsListed(`copied no further than segment ${number}`, init)
  await flush()
  return number - first
}

/** Two clocks differ by a tick where one rounds up and the other down. */
const ROUNDING = 2

function inputArgs({ source, plan, first }: VideoRun): string[] {
  const { seek } = plan.segments[first]!
  const place = seek === undefined ? [] : ['-seek_timestamp', '1', '-ss', `${seek}us`, '-noaccurate_seek']
  return ['-nostdin', '-v', 'error', '-copyts', ...INPUT_GUARDS, ...place, '-i', source]
}

function encodingArgs(run: VideoRun, renditions: EncodedRendition[]): string[] {
  const { plan } = run
  const graph = [
    `[0:${plan.source.stream}]${[selection(run), ...prepared(plan.source)].join(',')}`,
    `,split=${renditions.length}${renditions.map((_, i) => `[s${i}]`).join('')}`,
    ...renditions.map((rendition, i) => `;[s${i}]${scaled(rendition, plan.source).join(',')}[v${i}]`),
  ].join('')
  const outputs = renditions.flatMap((rendition, i) => [
    ...['-map', `[v${i}]`, ...encoder(rendition), '-force_key_frames', keyTimes(run)],
    ...[...AS_FRAGMENTS, `pipe:${3 + i}`],
  ])
  return [...inputArgs(run), '-filter_complex', graph, ...outputs]
}

/** Exactly the pictures of the run, by the source's clock, with the times of the presentation. */
function selection({ plan, first, end }: VideoRun): string {
  const { segments, source } = plan
  const begin = segments[first]!
  if (begin.held) {
    const [start, one] = [begin.from, begin.from + 1]
    return `trim=start_pts=${start}:end_pts=${one},setpts=${begin.start}/${CLOCK}/TB`
  }
  const next = segments.find((segment, i) => i >= end && !segment.held)
  const isCut = first > 0 || source.until !== undefined
  const until = next?.from ?? source.until
  const edges = [
    ...(isCut ? [`start_pts=${begin.from}`] : []),
    ...(until === undefined ? [] : [`end_pts=${until}`]),
  ]
  const trim = edges.length > 0 ? `trim=${edges.join(':')},` : ''
  return `${trim}setpts=PTS-${source.zero}`
}

/**
 * Where segments begin; a little early, so that rounding never puts the key picture one too late. No earlier: where
 * pictures are a millisecond apart, the one before would become the key picture.
 */
function keyTimes({ plan, first, end }: VideoRun): string {
  return plan.segments
    .slice(first, end)
    .map(({ start }) => Math.max(0, (start - ROUNDING) / CLOCK).toFixed(6))
    .join(',')
}

/** Far more than any healthy encoding takes. */
function cpuLimit({ plan, first, end }: VideoRun, renditions: VideoRendition[]): number {
  const seconds = ((plan.segments[end]?.start ?? plan.end) - plan.segments[first]!.start) / CLOCK
  const megapixels = renditions.reduce((sum, { width, height }) => sum + (width * height) / 1e6, 1)
  return Math.ceil(120 + seconds * megapixels * Math.max(1, plan.source.framesPerSecond / 30) * 30)
}
