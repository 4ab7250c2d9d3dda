import type { Api } from './api.ts'

const VIDEO = 'vid_01k9abcdefghjkmnpqrstvwxyz'

/** When something happened, so many seconds ago. */
export const ago = (seconds: number, now = Date.now()) => new Date(now - seconds * 1000).toISOString()

/** Somebody goes on watching the video. */
export const watching = (fields: object = {}, timestamp = ago(60)) => ({
  timestamp,
  content_view: {
    content_id: VIDEO,
    content_type: 'MEDIA_TYPE_VIDEO',
    view_type: 'watch',
    device_id: 'device',
    ...fields,
  },
})

/** How many such events are known. */
export async function watches(api: Api, query = ''): Promise<number> {
  const answer = await api.get(`/analytics/v1/videos/${VIDEO}/stats${query}`)
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.watches
}
