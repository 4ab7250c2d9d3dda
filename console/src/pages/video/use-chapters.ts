import { words } from '../../words.ts'
import type { Chapter } from './queries.ts'
import { useChangeVideo, useVideo } from './use-video.ts'

/** Sets the chapters of the video; they are seen at once. */
export function useSetChapters(): (chapters: Chapter[]) => void {
  const { client, videoId } = useVideo()
  return useChangeVideo<Chapter[]>({
    send: async (chapters) => {
      const body = {
        chapters: chapters.map(({ title, start_time_sec }) => ({
          title: title || words.video.chapters,
          start_time_sec,
        })),
      }
      const answer = await client.put('/videos/{videoId}/chapters', { path: { videoId }, body })
      return { chapters: answer.chapters }
    },
    show: (video, chapters) => ({ ...video, chapters }),
  })
}
