import { createHash } from 'node:crypto'
import { refusedToken } from '../../access/index.ts'
import type { FairSemaphore } from '../../base/async/fair-semaphore.ts'
import { CACHING } from '../../base/caching.ts'
import { notFound } from '../../base/errors.ts'
import { readWebVtt, writeSegment } from '../../media/subtitles/webvtt.ts'
import { CLOCK } from '../../media/video/timeline.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import {
  asGone,
  audioChoices,
  findChoice,
  findRates,
  type Presentation,
  type Transcoder,
  type VideoChoice,
  videoChoices,
} from '../../transcoding/index.ts'
import { initKey, type ServableFile, segmentKey, trackKey } from '../../uploads/index.ts'
import { subtitleBody, subtitlesOfFile } from '../../videos/index.ts'
import { carried, type Viewing } from '../admit.ts'
import { type Deliverable, type HotObjects, objectDeliverable, part } from '../deliverable.ts'
import type { SizeCache } from '../size-cache.ts'
import { deliverSheet, storyboardTrack } from '../storyboard.ts'
import { type HlsAddress, readHlsAddress } from './address.ts'
import { deliverDownload } from './download.ts'
import { audioPlaylist, multivariantPlaylist, subtitlePlaylist, videoPlaylist } from './playlists.ts'
import { deliverPreview, type PreviewQuery } from './preview.ts'
import { deliverWholeSound } from './whole-sound.ts'

export interface HlsDeps {
  sql: Sql
  objects: ObjectStore
  hot: HotObjects
  sizes: SizeCache
  transcoder: Transcoder
  /** Whose moving previews are made at the moment. */
  previews: FairSemaphore
  /** How long whoever asks for a whole file waits for what is missing of it. */
  patienceMs: number
}

/** What an address below a video's own says behind its question mark. */
export interface HlsQuery extends PreviewQuery {
  height?: number
}

interface WritingDeps extends HlsDeps {
  viewing: Viewing | undefined
}

/** A playlist or subtitles, written when they are asked for. */
interface WrittenText {
  body: string
  type: 'playlist' | 'subtitles'
  caching: string
}

const TEXT_TYPES = { playlist: 'application/vnd.apple.mpegurl', subtitles: 'text/vtt; charset=utf-8' }

/** What is at an address below a video's own; `rest` is the part after it, empty for its own. */
export async function deliverHls(
  file: ServableFile,
  { rest, query, viewing }: { rest: string; query: HlsQuery; viewing: Viewing | undefined },
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const presentation = await deps.transcoder.presentations.find(file.project_id, file.id)
  if (!presentation) throw notFound()
  const lastModified = new Date(file.updated_at)
  const writing = { ...deps, viewing }
  if (rest === '')
    return textDeliverable(await writeMultivariant(presentation, `${file.id}/`, writing), lastModified)
  const address = readHlsAddress(rest)
  if (!address) throw notFound()
  switch (address.at) {
    case 'storyboard sheet':
      return deliverSheet(presentation, address.number, deps, signal)
    case 'whole sound':
      return deliverWholeSound(presentation, file, deps, signal)
    case 'download':
      return deliverDownload(presentation, { file, height: heightFor(query.height, viewing) }, deps, signal)
    case 'preview':
      return deliverPreview(
        presentation,
        { format: address.format, lastModified, choices: offeredTo(presentation, viewing), ...query },
        deps,
      )
    case 'track':
      return deliverTrack(presentation, address, deps)
    case 'init segment':
    case 'segment':
      requireOffered(presentation, address.rendition, viewing)
      return deliverSegment(presentation, address, deps, signal)
    default:
      return textDeliverable(await writeText(presentation, address, writing), lastModified)
  }
}

type SegmentAddress = Extract<HlsAddress, { at: 'init segment' | 'segment' }>
type TrackAddress = Extract<HlsAddress, { at: 'track' }>
type TextAddress = Exclude<
  HlsAddress,
  SegmentAddress | TrackAddress | { at: 'storyboard sheet' | 'whole sound' | 'download' | 'preview' }
>

async function writeText(
  presentation: Presentation,
  address: TextAddress,
  deps: WritingDeps,
): Promise<WrittenText> {
  const { plan } = presentation
  const { viewing } = deps
  switch (address.at) {
    case 'multivariant playlist':
      return writeMultivariant(presentation, '', deps)
    case 'storyboard':
      return {
        body: storyboardTrack(plan, '', carried(viewing)),
        type: 'subtitles',
        caching: CACHING.segment,
      }
    case 'rendition playlist':
      requireOffered(presentation, address.rendition, viewing)
      return writeRenditionPlaylist(presentation, address.rendition, viewing)
    default: {
      const whole = await subtitleBody(deps.sql, presentation.fileId, address.id)
      if (whole === undefined) throw notFound()
      if (address.at === 'subtitles')
        return { body: whole, type: 'subtitles', caching: CACHING.changingPlaylist }
      if (address.at === 'subtitle playlist')
        return { body: subtitlePlaylist(plan, carried(viewing)), type: 'playlist', caching: CACHING.segment }
      return writeSubtitleSegment(presentation, whole, address.number)
    }
  }
}

async function writeMultivariant(
  presentation: Presentation,
  base: string,
  { sql, viewing }: WritingDeps,
): Promise<WrittenText> {
  const [subtitles, rates] = await Promise.all([
    subtitlesOfFile(sql, presentation.fileId),
    findRates(sql, presentation.fileId),
  ])
  const offer = {
    plan: presentation.plan,
    video: offeredTo(presentation, viewing),
    audio: audioChoices(presentation),
    subtitles,
    rates,
  }
  return {
    body: multivariantPlaylist(offer, base, carried(viewing)),
    type: 'playlist',
    caching: CACHING.changingPlaylist,
  }
}

function writeRenditionPlaylist(
  presentation: Presentation,
  rendition: string,
  viewing: Viewing | undefined,
): WrittenText {
  const { plan } = presentation
  const choice = requireChoice(presentation, rendition)
  const body =
    choice.kind === 'video'
      ? videoPlaylist(plan, carried(viewing))
      : audioPlaylist(plan, choice, carried(viewing))
  return { body, type: 'playlist', caching: CACHING.segment }
}

function writeSubtitleSegment({ plan }: Presentation, whole: string, number: number): WrittenText {
  if (number >= plan.segments.length) throw notFound()
  const milliseconds = (ticks: number) => Math.round((ticks * 1000) / CLOCK)
  const start = milliseconds(plan.segments[number]!.start)
  const end = milliseconds(plan.segments[number + 1]?.start ?? plan.end)
  return { body: writeSegment(readWebVtt(whole), start, end), type: 'subtitles', caching: CACHING.segment }
}

/** The pictures that a viewer may choose of; always the smallest, so that there is something to see. */
function offeredTo(presentation: Presentation, viewing: Viewing | undefined): VideoChoice[] {
  const choices = videoChoices(presentation)
  const most = viewing?.maxHeight
  if (most === undefined) return choices
  const smallest = Math.min(...choices.map(linesOf))
  return choices.filter((choice) => linesOf(choice) <= Math.max(most, smallest))
}

/** No more than somebody may see, whatever they ask for. */
function heightFor(asked: number | undefined, viewing: Viewing | undefined): number | undefined {
  const most = viewing?.maxHeight
  return most === undefined ? asked : Math.min(asked ?? most, most)
}

/** As renditions are called: 720 for 1280×720 as for 720×1280. */
const linesOf = ({ video }: VideoChoice) => Math.min(video.width, video.height)

function requireOffered(presentation: Presentation, name: string, viewing: Viewing | undefined): void {
  const choice = findChoice(presentation, name)
  if (choice?.kind !== 'video' || offeredTo(presentation, viewing).some((one) => one.name === name)) return
  throw refusedToken(`is for no more than ${viewing!.maxHeight} lines`)
}

/** A segment, or what comes before all of them: made where it is not there yet. */
async function deliverSegment(
  presentation: Presentation,
  address: SegmentAddress,
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const { plan, projectId, fileId } = presentation
  const choice = requireChoice(presentation, address.rendition)
  const number = address.at === 'segment' ? address.number : 0
  if (number >= plan.segments.length) throw notFound()
  const key =
    address.at === 'segment'
      ? segmentKey(projectId, fileId, choice.name, number)
      : initKey(projectId, fileId, choice.name)
  let info = await deps.objects.head(key)
  if (!info) {
    await deps.transcoder.maker.request(presentation, choice, number, signal).catch(asGone)
    info = await deps.objects.head(key)
  }
  if (!info) throw notFound()
  const contentType = choice.kind === 'video' ? 'video/mp4' : 'audio/mp4'
  return objectDeliverable({ key, contentType, caching: CACHING.segment, ...info }, deps)
}

function requireChoice(presentation: Presentation, rendition: string) {
  const choice = findChoice(presentation, rendition)
  if (!choice) throw notFound()
  return choice
}

const TRACK_TYPES: Record<string, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  ac3: 'audio/ac3',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
}

/** An audio track as it was sent, but for what it said of itself. */
async function deliverTrack(
  { projectId, fileId, tracks }: Presentation,
  { id, format }: TrackAddress,
  deps: HlsDeps,
): Promise<Deliverable> {
  if (!tracks.some((one) => one.id === id && one.format === format)) throw notFound()
  const key = trackKey(projectId, fileId, id)
  const info = await deps.objects.head(key)
  if (!info) throw notFound()
  const contentType = TRACK_TYPES[format]!
  return objectDeliverable({ key, contentType, caching: CACHING.segment, ...info }, deps)
}

function textDeliverable({ body, type, caching }: WrittenText, lastModified: Date): Deliverable {
  const bytes = Buffer.from(body)
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  return {
    contentType: TEXT_TYPES[type],
    caching,
    size: bytes.length,
    etag,
    lastModified,
    open: async (range) => part(bytes, range),
  }
}
