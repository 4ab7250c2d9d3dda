import { createHash } from 'node:crypto'
import { notFound } from '../../base/errors.ts'

import { readWebVtt, writeSegment } from '../../media/subtitles/webvtt.ts'
import { CLOCK } from '../../media/video/timeline.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { ServableFile } from '../../uploads/files.ts'
import { trackKey } from '../../uploads/keys.ts'
import { subtitleBody, subtitlesOfFile } from '../../videos/renditions.ts'
import { type Deliverable, objectDeliverable, part } from '../deliverable.ts'
import type { HotObjects } from '../hot-objects.ts'
import { initKey, NotWantedAnyMore, segmentKey } from './keep-segment.ts'
import type { Player } from './player.ts'
import { audioPlaylist, multivariantPlaylist, subtitlePlaylist, videoPlaylist } from './playlists.ts'
import { audioChoices, findChoice, type Presentation, videoChoices } from './renditions.ts'
import { findRates } from './store.ts'
import { deliverSheet, storyboardTrack } from './storyboard.ts'

export interface HlsDeps {
  sql: Sql
  objects: ObjectStore
  hot: HotObjects
  player: Player
}

const PLAYLIST = 'application/vnd.apple.mpegurl'
const SUBTITLES = 'text/vtt; charset=utf-8'
/** What a set of subtitles or tracks changes is asked about every time, at the cost of a 304. */
const ASK_AGAIN = 'public, no-cache'
const LONG = 'public, max-age=86400'

/** What is at an address below a video's own; `rest` is the part after it. */
export async function deliverHls(
  file: ServableFile,
  rest: string,
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const presentation = await deps.player.presentations.find(file.project_id, file.id)
  if (!presentation) throw notFound()
  const text = (body: string, contentType: string, caching: string) =>
    textDeliverable(body, contentType, caching, new Date(file.updated_at))

  if (rest === '') return text(await multivariant(presentation, `${file.id}/`, deps), PLAYLIST, ASK_AGAIN)
  if (rest === 'master.m3u8') return text(await multivariant(presentation, '', deps), PLAYLIST, ASK_AGAIN)
  if (rest === 'storyboard.vtt') return text(storyboardTrack(presentation.plan, ''), SUBTITLES, LONG)
  const parts = /^([a-z0-9_]+)\/([a-z0-9_]+)(?:\/([a-z0-9_]+))?\.([a-z0-9]+)$/.exec(rest)
  if (!parts) throw notFound()
  const [, room, name, below, ending] = parts as unknown as string[]

  if (room === 'subtitles') {
    const body = await subtitleBody(deps.sql, file.id, name!)
    if (body === undefined) throw notFound()
    if (below === undefined && ending === 'vtt') return text(body, SUBTITLES, ASK_AGAIN)
    if (below === 'index' && ending === 'm3u8')
      return text(subtitlePlaylist(presentation.plan), PLAYLIST, LONG)
    const segment = ending === 'vtt' ? subtitleSegment(presentation, body, below) : undefined
    if (segment === undefined) throw notFound()
    return text(segment, SUBTITLES, LONG)
  }
  if (below !== undefined) throw notFound()
  if (room === 'tracks') return track(presentation, name!, ending!, deps)
  if (room === 'storyboard' && ending === 'jpg')
    return deliverSheet(presentation, numberOf(name!), deps, signal)

  const choice = findChoice(presentation, room!)
  if (!choice) throw notFound()
  const { plan, projectId, fileId } = presentation
  if (name === 'index' && ending === 'm3u8')
    return text(choice.kind === 'video' ? videoPlaylist(plan) : audioPlaylist(plan), PLAYLIST, LONG)
  const isInit = name === 'init' && ending === 'mp4'
  const number = isInit ? 0 : ending === 'm4s' ? numberOf(name!) : undefined
  if (number === undefined || number >= plan.segments.length) throw notFound()
  const key = isInit
    ? initKey(projectId, fileId, choice.name)
    : segmentKey(projectId, fileId, choice.name, number)
  let info = await deps.objects.head(key)
  if (!info) {
    await deps.player.maker.want(presentation, choice, number, signal).catch(asGone)
    info = await deps.objects.head(key)
  }
  if (!info) throw notFound()
  const contentType = choice.kind === 'video' ? 'video/mp4' : 'audio/mp4'
  return objectDeliverable({ key, contentType, caching: LONG, ...info }, deps)
}

/** Deleted while somebody waited for it. */
function asGone(error: unknown): never {
  throw error instanceof NotWantedAnyMore ? notFound() : error
}

async function multivariant(presentation: Presentation, base: string, { sql }: HlsDeps): Promise<string> {
  const [subtitles, rates] = await Promise.all([
    subtitlesOfFile(sql, presentation.fileId),
    findRates(sql, presentation.fileId),
  ])
  const offer = {
    plan: presentation.plan,
    video: videoChoices(presentation),
    audio: audioChoices(presentation),
    subtitles,
    rates,
  }
  return multivariantPlaylist(offer, base)
}

function subtitleSegment({ plan }: Presentation, body: string, name: string | undefined): string | undefined {
  const number = numberOf(name ?? '')
  if (number === undefined || number >= plan.segments.length) return undefined
  const milliseconds = (ticks: number) => Math.round((ticks * 1000) / CLOCK)
  const start = milliseconds(plan.segments[number]!.start)
  const end = milliseconds(plan.segments[number + 1]?.start ?? plan.end)
  return writeSegment(readWebVtt(body), start, end)
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

/** An audio track as it was sent. */
async function track(
  { projectId, fileId, tracks }: Presentation,
  id: string,
  format: string,
  deps: HlsDeps,
): Promise<Deliverable> {
  if (!tracks.some((one) => one.id === id && one.format === format)) throw notFound()
  const key = trackKey(projectId, fileId, id)
  const info = await deps.objects.head(key)
  if (!info) throw notFound()
  return objectDeliverable({ key, contentType: TRACK_TYPES[format]!, caching: LONG, ...info }, deps)
}

function textDeliverable(
  body: string,
  contentType: string,
  caching: string,
  lastModified: Date,
): Deliverable {
  const bytes = Buffer.from(body)
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  return {
    contentType,
    caching,
    size: bytes.length,
    etag,
    lastModified,
    open: async (range) => part(bytes, range),
  }
}

function numberOf(text: string): number | undefined {
  return /^(0|[1-9]\d{0,6})$/.test(text) ? Number(text) : undefined
}
