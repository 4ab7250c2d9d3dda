import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { CACHING } from '../../base/caching.ts'
import { notFound } from '../../base/errors.ts'
import { type ProgressiveTrack, progressiveHead } from '../../media/video/progressive.ts'
import { SampleTables } from '../../media/video/sample-tables.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import { audioChoices, type Presentation, type VideoChoice, videoChoices } from '../../transcoding/index.ts'
import type { ServableFile } from '../../uploads/index.ts'
import type { Deliverable } from '../deliverable.ts'
import { nameAs } from '../file-name.ts'
import { allSegmentsSoon, type SegmentPart, type WholeRendition } from './all-segments.ts'
import type { HlsDeps } from './deliver-hls.ts'
import { type DownloadPart, readParts } from './read-parts.ts'

/**
 * A film as one MP4, pictures and sound: an index of its own, then the samples of its segments as they are kept, so that
 * nothing is stored twice. The index is kept where sizes of pictures are, and made again where it is not there.
 */
export async function deliverDownload(
  presentation: Presentation,
  { file, height }: { file: ServableFile; height: number | undefined },
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const pictures = chosen(presentation, height)
  const sound = audioChoices(presentation).find(({ isDefault }) => isDefault)
  const names = [pictures.name, ...(sound ? [sound.name] : [])]
  const whole = await allSegmentsSoon(presentation, names, deps, signal)
  const version = createHash('sha256').update(JSON.stringify(whole)).digest('base64url').slice(0, 22)
  const cached = await deps.sizes.get(`${presentation.fileId}-${version}.mp4head`, async (output) => {
    await writeFile(output, await makeIndex(whole, sound?.language, deps.objects))
  })
  const { size: length } = await stat(cached)
  const index = readIndex(await (deps.hot.get(cached, length, () => readFile(cached)) ?? readFile(cached)))
  const parts = [index.head, ...samplesOf(whole, index.skips)]
  const fileName = nameAs(file.name.toString(), 'mp4')
  return {
    contentType: 'video/mp4',
    size: parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.bytes), 0),
    // The name is told beside the bytes: a file by another name is not the one that a cache has.
    etag: `"${version}-${createHash('sha256').update(fileName).digest('base64url').slice(0, 6)}"`,
    lastModified: new Date(file.updated_at),
    caching: CACHING.segment,
    fileName,
    open: async (range) => readParts(parts, range, deps.objects),
  }
}

/** The largest rendition that is no higher than asked for, by its shorter side as everywhere; else the lowest. */
function chosen(presentation: Presentation, height: number | undefined): VideoChoice {
  const choices = videoChoices(presentation)
  const side = ({ video }: VideoChoice) => Math.min(video.width, video.height)
  return (
    choices.filter((choice) => side(choice) <= (height ?? Number.POSITIVE_INFINITY)).at(-1) ?? choices[0]!
  )
}

/** What comes before the samples in the file, behind how much comes before them in each segment. */
async function makeIndex(
  whole: WholeRendition[],
  language: string | undefined,
  objects: ObjectStore,
): Promise<Buffer> {
  const tracks: ProgressiveTrack[] = []
  const skips: number[][] = []
  for (const [i, { init, segments }] of whole.entries()) {
    const tables = new SampleTables()
    const bytes: number[] = []
    const before: number[] = []
    for await (const moof of readMoofs(segments, objects)) {
      bytes.push(tables.add(moof))
      before.push(moof.length + BOX_HEADER)
    }
    skips.push(before)
    tracks.push({
      kind: i === 0 ? 'video' : 'audio',
      init: await readAll(init.key, objects),
      tables,
      bytes,
      language: i === 0 ? undefined : language,
    })
  }
  const table = Uint32Array.from([skips.flat().length, ...skips.flat()])
  return Buffer.concat([Buffer.from(table.buffer), progressiveHead(tracks)])
}

function readIndex(index: Buffer): { head: Buffer; skips: number[] } {
  const count = index.readUInt32LE(0)
  const skips = Array.from({ length: count }, (_, i) => index.readUInt32LE(4 + 4 * i))
  return { head: index.subarray(4 + 4 * count), skips }
}

/** The samples of the first segment of each track, then those of the second, and so on. */
function samplesOf(whole: WholeRendition[], skips: number[]): DownloadPart[] {
  const count = whole[0]!.segments.length
  return whole[0]!.segments.flatMap((_, number) =>
    whole.map(({ segments }, track) => {
      const { key, bytes } = segments[number]!
      const start = skips[track * count + number]!
      return { key, start, bytes: bytes - start }
    }),
  )
}

const BOX_HEADER = 8
/** More than the index of four seconds has at 60 pictures a second. */
const USUAL_INDEX_BYTES = 4096
/** Read at once; a store across the network answers each in some milliseconds. */
const AT_ONCE = 16

/** The indexes of segments, in their order. */
async function* readMoofs(segments: SegmentPart[], objects: ObjectStore): AsyncGenerator<Buffer> {
  for (let i = 0; i < segments.length; i += AT_ONCE)
    yield* await Promise.all(segments.slice(i, i + AT_ONCE).map((segment) => readMoof(segment, objects)))
}

async function readMoof({ key, bytes }: SegmentPart, objects: ObjectStore): Promise<Buffer> {
  const begin = await readAll(key, objects, USUAL_INDEX_BYTES)
  const length = begin.readUInt32BE(0)
  if (length > bytes) throw notFound()
  return length <= begin.length ? begin.subarray(0, length) : readAll(key, objects, length)
}

async function readAll(key: string, objects: ObjectStore, bytes?: number): Promise<Buffer> {
  const opened = await objects.get(key, bytes === undefined ? undefined : { start: 0, end: bytes - 1 })
  if (!opened) throw notFound()
  return buffer(opened.stream)
}
