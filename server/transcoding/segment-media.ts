import { buffer } from 'node:stream/consumers'
import { notFound } from '../base/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import { initKey, segmentKey } from '../uploads/index.ts'
import { asGone } from './encode-run.ts'
import { type Presentation, type VideoChoice, videoChoices } from './presentation.ts'
import type { Transcoder } from './transcoder.ts'

/** Segments with what comes before them, ready to be decoded; made where they are not there yet. */
export async function segmentMedia(
  presentation: Presentation,
  numbers: number[],
  { objects, transcoder }: { objects: ObjectStore; transcoder: Transcoder },
  signal: AbortSignal,
  choice: VideoChoice = videoChoices(presentation)[0]!,
): Promise<Buffer[]> {
  const { projectId, fileId } = presentation
  async function read(key: string, number: number): Promise<Buffer> {
    let opened = await objects.get(key)
    if (!opened) {
      await transcoder.maker.request(presentation, choice, number, signal).catch(asGone)
      opened = await objects.get(key)
    }
    if (!opened) throw notFound()
    return buffer(opened.stream)
  }
  const media: Buffer[] = []
  // One after the other: a run for the first brings the next ones with it.
  for (const number of numbers)
    media.push(await read(segmentKey(projectId, fileId, choice.name, number), number))
  return [await read(initKey(projectId, fileId, choice.name), numbers[0]!), ...media]
}
