import type { Client, Schemas } from '@marquee/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answered } from '../../api.ts'
import { periodOf, type Range } from '../../range.ts'
import { opened } from '../../session/use-opened.ts'

export type Video = Schemas['Video']
export type Chapter = Schemas['Chapter']
export type Track = Schemas['Subtitle']
export type TrackKind = 'subtitles' | 'audio-tracks'

interface Of {
  client: Client
  projectId: string
  videoId: string
}

const keyOf = ({ projectId, videoId }: Of, ...more: string[]) => [projectId, 'video', videoId, ...more]

export const videoQuery = (of: Of) =>
  queryOptions({
    queryKey: keyOf(of, 'record'),
    queryFn: ({ signal }) => of.client.get('/videos/{videoId}', { path: { videoId: of.videoId }, signal }),
  })

/** Subtitles or audio tracks. */
export const tracksQuery = (of: Of, kind: TrackKind) =>
  queryOptions({
    queryKey: keyOf(of, kind),
    queryFn: async ({ signal }): Promise<Track[]> => {
      const path = { videoId: of.videoId }
      const { data } =
        kind === 'subtitles'
          ? await of.client.get('/videos/{videoId}/subtitles', { path, query: { limit: 100 }, signal })
          : await of.client.get('/videos/{videoId}/audio-tracks', { path, query: { limit: 100 }, signal })
      return data
    },
  })

export const languagesQuery = ({ client, projectId }: Of) =>
  queryOptions({
    queryKey: [projectId, 'languages'],
    queryFn: ({ signal }) => client.get('/videos/languages', { query: { limit: 100 }, signal }),
    staleTime: Infinity,
  })

const MOST_PARTS = 200
const FEWEST_PARTS = 10

/** How often each part was watched, and which parts are watched most. */
export const heatQuery = (of: Of, duration: number, range: Range) =>
  queryOptions({
    queryKey: keyOf(of, 'heat', range.range, range.from, range.to),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const path = { video_id: of.videoId }
      // No part is shorter than a second, which is as exact as it is counted.
      const buckets = Math.min(Math.max(Math.floor(duration), FEWEST_PARTS), MOST_PARTS)
      const { start, end } = periodOf(range)
      const query = { project_id: of.projectId, start, end }
      const [heatmap, hot] = await Promise.all([
        of.client.get('/analytics/v1/videos/{video_id}/heatmap', {
          path,
          query: { ...query, buckets },
          signal,
        }),
        of.client.get('/analytics/v1/videos/{video_id}/hot-segments', { path, query, signal }),
      ])
      return { parts: heatmap.data, hot: hot.segments }
    },
  })

/** The words of subtitles, with their times. */
export const cuesQuery = (of: Of, track: Track, token: string | undefined) =>
  queryOptions({
    queryKey: keyOf(of, 'cues', track.id),
    queryFn: async ({ signal }) => {
      const response = await answered(fetch(opened(track.url, token), { signal }))
      return readCues(await response.text())
    },
    staleTime: Infinity,
  })

interface Cue {
  start: number
  end: number
  text: string
}

/** The service has made clean WebVTT of it: a time line, then text, then an empty line. */
function readCues(text: string): Cue[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n')
      const at = lines.findIndex((line) => line.includes('-->'))
      if (at < 0) return []
      const [start, end] = lines[at]!.split('-->').map((time) => secondsOf(time.trim().split(/\s/)[0]!))
      const said = lines.slice(at + 1).join('\n')
      return [{ start: start!, end: end!, text: plain(said) }]
    })
}

const secondsOf = (time: string): number =>
  time.split(':').reduce((total, part) => total * 60 + Number(part), 0)

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

const plain = (text: string): string =>
  text.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
