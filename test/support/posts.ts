import { scene } from '../fixtures/images.ts'
import type { Api } from './api.ts'
import { composeForTest } from './in-process.ts'
import { local } from './media.ts'

export const smallJpeg = () => scene(64, 40).jpeg().toBuffer()

/** Posts as an app does: init, PUT, and, unless told otherwise, complete. */
export function authorOf(api: Api, projectId: string, feedId: string) {
  const base = `/posts/v1/projects/${projectId}/feeds/${feedId}/posts`
  const init = (more: object = {}) =>
    api.post(`${base}/upload/init`, { content_type: 'image', file_name: 'a.jpg', format: 'jpg', ...more })
  const put = (url: string, content: Buffer) =>
    fetch(local(url), { method: 'PUT', body: new Uint8Array(content) })
  const complete = (post_id: string) => api.post(`${base}/upload/complete`, { post_id })
  async function send(content: Buffer, more: object = {}) {
    const { status, body } = await init(more)
    if (status !== 201) throw new Error(`init answered ${JSON.stringify(body)}`)
    const sent = await put(body.content_upload_url, content)
    if (sent.status !== 200) throw new Error(`PUT answered ${sent.status}`)
    return body
  }
  async function post(content: Buffer, more: object = {}) {
    const { post_id } = await send(content, more)
    const { status, body } = await complete(post_id)
    if (status !== 200) throw new Error(`complete answered ${JSON.stringify(body)}`)
    return body
  }
  return { base, init, put, complete, send, post }
}

/** A service with a feed, and whoever posts in it. */
export async function withFeed(options: { env: Record<string, string> } = { env: { MARQUEE_ROLES: 'api' } }) {
  const service = await composeForTest(options)
  const { body } = await service.api.post('/feeds', { name: 'F' })
  return { ...service, feed: body, ...authorOf(service.api, service.seed.project_id, body.id) }
}

/** All pages of a feed by its cursors. */
export async function scroll(api: Api, feedId: string, query = 'limit=2', between = async () => {}) {
  const seen: string[] = []
  let cursor = ''
  do {
    const { status, body } = await api.get(`/feeds/${feedId}?${query}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.pagination.next_cursor ?? ''
    await between()
  } while (cursor)
  return seen
}
