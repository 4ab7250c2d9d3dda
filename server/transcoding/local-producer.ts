import { makeAudio } from '../media/video/make-audio.ts'
import { makeVideo } from '../media/video/make-video.ts'
import type { MediaTools } from '../media/video/program.ts'
import { originalKey } from '../uploads/index.ts'
import type { Purpose, SegmentProducer } from './port.ts'
import { edgesOf } from './presentation.ts'
import type { SourceFiles } from './sources.ts'

/** Lowered priority: the API answers first, then viewers get their segments. */
const NICE: Record<Purpose, number> = { viewer: 5, pass: 10, filler: 19 }

/** Makes segments by ffmpeg on this machine, from a local copy of the source. */
export function localProducer({
  tools,
  sources,
}: {
  tools: MediaTools
  sources: SourceFiles
}): SegmentProducer {
  return {
    async makePictures({ presentation, renditions, first, end, purpose, signal }, take) {
      const { projectId, fileId, plan } = presentation
      await sources.use(originalKey(projectId, fileId), (source) =>
        makeVideo(tools, { source, plan, renditions, first, end, nice: NICE[purpose], signal }, take),
      )
    },

    async makeSound({ presentation, choice, first, end, purpose, signal }, take) {
      const edges = edgesOf(presentation.plan)
      const nice = NICE[purpose]
      await sources.use(choice.sourceKey, (source) =>
        makeAudio(
          tools,
          { ...choice, rendition: choice.name, source, first, end, edges, nice, signal },
          take,
        ),
      )
    },
  }
}
