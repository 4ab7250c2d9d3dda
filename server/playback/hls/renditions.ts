import type { AudioRendition, Plan, VideoRendition } from '../../media/video/plan.ts'
import { type AudioFormat, audioGuards } from '../../media/video/probe-audio.ts'
import { originalKey, trackKey } from '../../uploads/keys.ts'
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
  language: string | undefined
  label: string
  isDefault: boolean
}

/** A sound that was added to the video. */
export interface AddedTrack {
  id: string
  language_code: string
  label: string
  format: AudioFormat
}

/** A video as it is played: its plan, and what was added to it. */
export interface Presentation {
  projectId: string
  fileId: string
  plan: Plan
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
export function edgesOf({ segments, end }: Plan): number[] {
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
