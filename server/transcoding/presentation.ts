import { LRUCache } from 'lru-cache'
import type { FileId, ProjectId, TrackId } from '../base/ids.ts'
import type { CopiedSound } from '../media/video/aac-packets.ts'
import type { AudioRendition, PlaybackPlan, VideoRendition } from '../media/video/plan.ts'
import { type AudioFormat, audioGuards } from '../media/video/probe-audio.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { originalKey, trackKey } from '../uploads/index.ts'
import { findPlan } from './store.ts'
import { uniquelyLabelled } from './unique-labels.ts'

/** What a player can choose of: pictures in one size, or one sound. */
export type Rendition = VideoChoice | AudioChoice

export interface VideoChoice {
  kind: 'video'
  name: string
  video: VideoRendition
}

export interface AudioChoice {
  kind: 'audio'
  name: string
  sourceKey: string
  guards: string[] | undefined
  stream: number | undefined
  channels: number
  /** The second of its source's clock at which the presentation begins; undefined for its own beginning. */
  zero: number | undefined
  /** Where it is AAC already, and passed on as it is. */
  copied: CopiedSound | undefined
  language: string | undefined
  label: string
  isDefault: boolean
}

/** A sound that was added to the video. */
export interface AddedTrack {
  id: TrackId
  language_code: string
  label: string
  format: AudioFormat
}

/** A video as it is played: its plan, and what was added to it. */
export interface Presentation {
  projectId: ProjectId
  fileId: FileId
  plan: PlaybackPlan
  tracks: AddedTrack[]
}

export function videoChoices({ plan }: Presentation): VideoChoice[] {
  return plan.video.map((video) => ({ kind: 'video', name: video.name, video }))
}

export function audioChoices(presentation: Presentation): AudioChoice[] {
  const { projectId, fileId, plan, tracks } = presentation
  const { zero, timeBase } = plan.source
  const preferred = Math.max(
    0,
    plan.audio.findIndex((one) => one.isDefault),
  )
  const own = plan.audio.map(
    (audio, i): AudioChoice => ({
      kind: 'audio',
      name: audio.name,
      sourceKey: originalKey(projectId, fileId),
      guards: undefined,
      stream: audio.stream,
      channels: audio.channels,
      zero: (zero * timeBase.num) / timeBase.den,
      copied: audio.copied,
      language: languageOf(audio),
      label: labelOf(audio, i),
      isDefault: i === preferred,
    }),
  )
  const added = tracks.map(
    (track, i): AudioChoice => ({
      kind: 'audio',
      name: track.id,
      sourceKey: trackKey(projectId, fileId, track.id),
      guards: audioGuards(track.format),
      stream: undefined,
      channels: 2,
      zero: undefined,
      copied: undefined,
      language: track.language_code,
      label: track.label,
      isDefault: own.length === 0 && i === 0,
    }),
  )
  return uniquelyLabelled([...own, ...added])
}

export function findChoice(presentation: Presentation, name: string): Rendition | undefined {
  return (
    videoChoices(presentation).find((choice) => choice.name === name) ??
    audioChoices(presentation).find((choice) => choice.name === name)
  )
}

/** The starts of the segments and the end of the last. */
export function edgesOf({ segments, end }: PlaybackPlan): number[] {
  return [...segments.map((segment) => segment.start), end]
}

/** Containers have codes of three letters, and `und` for not knowing. */
function languageOf({ language }: AudioRendition): string | undefined {
  if (language === '' || language === 'und') return undefined
  try {
    return Intl.getCanonicalLocales(language)[0]
  } catch {
    return undefined
  }
}

function labelOf(audio: AudioRendition, i: number): string {
  const language = languageOf(audio)
  if (audio.title) return audio.title
  return (language && new Intl.DisplayNames('en', { type: 'language' }).of(language)) || `Audio ${i + 1}`
}

/** Segments of all plans that are kept; of a day-long film there are some 20,000, of most a few hundred. */
const MAX_SEGMENTS = 200_000

/** The sounds that were added to a video's file, in the order in which they are offered. */
export type TracksOf = (fileId: FileId) => Promise<AddedTrack[]>

/** Plans never change, so an LRU cache has them; what was added to a video is read each time. */
export function presentations(sql: Sql, tracksOf: TracksOf) {
  const plans = new LRUCache<string, PlaybackPlan>({
    maxSize: MAX_SEGMENTS,
    sizeCalculation: ({ segments }) => Math.max(1, segments.length),
  })

  async function planOf(fileId: FileId): Promise<PlaybackPlan | undefined> {
    const known = plans.get(fileId)
    if (known) return known
    const plan = await findPlan(sql, fileId)
    if (plan) plans.set(fileId, plan)
    return plan
  }

  return {
    planOf,
    async find(projectId: ProjectId, fileId: FileId): Promise<Presentation | undefined> {
      const plan = await planOf(fileId)
      if (!plan) return undefined
      return { projectId, fileId, plan, tracks: await tracksOf(fileId) }
    },
    forget(fileId: FileId): void {
      plans.delete(fileId)
    },
  }
}

export type Presentations = ReturnType<typeof presentations>
