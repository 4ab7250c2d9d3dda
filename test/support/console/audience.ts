import type { Api } from '../api.ts'
import { videoOf } from '../events.ts'
import { clip, videoUploaderOf } from '../video.ts'

const DAY = 86_400_000
const COUNTRIES = ['DE', 'US', 'FR', 'BR', 'JP', '']
const NAMES = ['Harbour at dawn.mp4', 'Bread in nine minutes.mp4', 'Night train.mp4']
/** Longer than any list is wide. */
const LONG = 'One long look at the boats before anybody is awake, and at what the tide does to them by noon'
const BROWSERS = ['Chrome', 'Safari', 'Firefox']

export interface Audience {
  videos: string[]
  feeds: string[]
  /** One for each video. */
  posts: string[]
}

/** Some thousand events of eight weeks: viewers who come, watch, come back or do not. The same ones each time. */
export async function addAudience(api: Api, viewers = 180, names = NAMES): Promise<Audience> {
  const uploader = videoUploaderOf(api)
  const videos: string[] = []
  for (const file_name of names) videos.push((await uploader.upload(await clip(), { file_name })).id)
  // Events may be about what is not there.
  while (videos.length < NAMES.length) videos.push(videoOf(videos.length))
  const feeds: string[] = []
  for (const name of ['For you', 'Cooking']) feeds.push((await api.post('/feeds', { name })).body.id)

  const posts: string[] = []
  for (const [i, id] of videos.entries()) posts.push(await postOf(api, feeds[i % 2]!, id, i < names.length))

  const random = randomBy(7)
  const requests = Array.from({ length: viewers }, (_, i) => ({
    user_id: `viewer-${i}`,
    country: COUNTRIES[Math.floor(random() ** 1.7 * COUNTRIES.length)]!,
    browser: BROWSERS[Math.floor(random() ** 1.5 * BROWSERS.length)]!,
    events: visitsOf(i, viewers, { videos, feeds, posts }, random),
  }))
  for (let i = 0; i < requests.length; i += 12) {
    const sent = requests.slice(i, i + 12).map((body) => api.post('/analytics/v1/events', body))
    for (const { status, body } of await Promise.all(sent))
      if (status !== 200) throw new Error(`events answered ${status}: ${JSON.stringify(body)}`)
  }
  return { videos, feeds, posts }
}

/** What shows a video in a feed; for one that is not there, an id that is nobody's. */
async function postOf(api: Api, feed: string, video: string, isThere: boolean): Promise<string> {
  if (!isThere) return `post_${video.slice('vid_'.length)}`
  const content = { content_ids: [video], content_type: 'video', description: LONG }
  return (await api.post(`/feeds/${feed}/content`, content)).body.data[0].id
}

function visitsOf(
  viewer: number,
  viewers: number,
  { videos, feeds, posts }: Audience,
  random: () => number,
): object[] {
  // More come in the later weeks; the last few are here now.
  const isNow = viewer >= viewers - 6
  const first = isNow ? 0.001 : 55 * (1 - (viewer / viewers) ** 0.8) + random()
  const events: object[] = []
  let ago = first
  do {
    const start = Date.now() - ago * DAY
    const at = (seconds: number) => new Date(Math.min(start + seconds * 1000, Date.now() - 500)).toISOString()
    const pick = Math.floor(random() ** 1.8 * videos.length)
    const view = {
      content_id: videos[pick],
      content_type: 'MEDIA_TYPE_VIDEO',
      feed_id: feeds[pick % 2],
      post_id: posts[pick],
      page: 'feed',
    }
    const play = { session_id: `${viewer}-${ago}`, element_type: 'video', element_id: videos[pick] }
    const watched = 20 + Math.floor(random() * 400)
    events.push({ timestamp: at(0), session_start: { platform: 'web' } })
    if (random() < 0.86 || isNow) {
      const begins = Math.round(180 + random() ** 4 * 2400)
      events.push(
        { timestamp: at(4), content_view: { ...view, view_type: 'start' } },
        { timestamp: at(4), interaction: { ...play, interaction_type: 'playback_start', click_x: begins } },
        {
          timestamp: at(30),
          content_view: { ...view, view_type: 'watch', watch_duration_ms: `${watched}s` },
        },
        {
          timestamp: at(30),
          interaction: {
            ...play,
            interaction_type: 'playback_rung',
            click_x: watched * 1000,
            click_y: random() < 0.7 ? 1080 : 540,
          },
        },
      )
      if (random() < 0.2)
        events.push({
          timestamp: at(12),
          interaction: { ...play, interaction_type: 'playback_stall', click_x: 900 },
        })
      if (random() < 0.03)
        events.push({
          timestamp: at(20),
          error: {
            error_type: 'playback',
            resource_type: 'video',
            resource_id: videos[pick],
            session_id: play.session_id,
          },
        })
      if (random() < 0.55)
        events.push({ timestamp: at(40 + watched), content_view: { ...view, view_type: 'end' } })
    }
    ago -= 1 + random() ** 2 * 9
  } while (ago > 0 && random() < 0.8)
  return events
}

/** Numbers that look random and are the same each time. */
function randomBy(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
