import type { MadeSegment } from '../media/video/make-video.ts'
import type { VideoRendition } from '../media/video/plan.ts'
import type { AudioChoice, Presentation } from './presentation.ts'

/** What segments are made for: a viewer who waits, a whole sound, or nobody yet. It says who goes first. */
export type Purpose = 'viewer' | 'pass' | 'filler'

/** Segments `[first, end)` of a presentation. */
interface Order {
  presentation: Presentation
  first: number
  end: number
  purpose: Purpose
  /** Breaks the production off. */
  signal: AbortSignal
}

export interface PictureOrder extends Order {
  /** Made together: the source is decoded once for all of them. */
  renditions: VideoRendition[]
}

export interface SoundOrder extends Order {
  choice: AudioChoice
}

/** Takes a segment: once it resolves, the segment is kept. */
export type TakeSegment = (segment: MadeSegment) => Promise<void>

/**
 * Makes the segments that a plan promises. Whoever asks has claimed them among all processes, and keeps
 * what is handed over; a producer knows neither claims nor storage.
 *
 * - Each segment is handed over once, as soon as it is there; those of a rendition in order, and the next of them
 *   only when the one before was taken. Renditions do not wait for each other.
 * - Every segment of a rendition comes with the same initialisation segment, whoever makes it and when.
 * - Times and edges are the plan's: segments of different runs, and of different producers, play on from each other.
 * - Resolves when all are taken, or without any where the source is gone.
 * - Rejects with MediaProgramFailed where the source cannot be decoded, with what `take` throws, and when it is
 *   broken off. What was taken until then stays good.
 */
export interface SegmentProducer {
  makePictures(order: PictureOrder, take: TakeSegment): Promise<void>
  makeSound(order: SoundOrder, take: TakeSegment): Promise<void>
}
