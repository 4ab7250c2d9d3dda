import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, scroll, smallJpeg } from '../support/posts.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'

const ROUNDS = process.env.MARQUEE_TEST_LONG ? 20 : 3

test('everybody may change everything at once; nobody waits for ever, and the counts are right', {
  timeout: 900_000,
}, async () => {
  const { api, sql, url, seed } = await composeForTest({
    env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0', MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0' },
  })
  const [jpeg, film] = [await smallJpeg(), await clip(1)]
  const feeds = await Promise.all(
    ['F', 'G'].map(async (name) => (await api.post('/feeds', { name })).body.id),
  )
  const posters = feeds.map((id) => authorOf(api, seed.project_id, id))
  const forms = formsOf({ url, seed })
  const video = await videoUploaderOf(api).upload(film)

  for (let round = 0; round < ROUNDS; round++) {
    const images = await Promise.all(
      [1, 2, 3, 4].map(async () => (await uploaderOf(api).upload(jpeg)).body.id),
    )
    const content_ids = [video.id, ...images]
    for (const id of feeds) await api.post(`/feeds/${id}/content`, { content_ids, content_type: 'mixed' })
    const drafts = await Promise.all([0, 1, 0, 1].map((feed) => posters[feed]!.send(jpeg)))
    const [first, second, third] = await scroll(api, feeds[0]!, 'limit=100')
    const thumbnail = ['thumbnail', { content: jpeg }] as [string, { content: Buffer }]
    const answers = await Promise.all([
      ...drafts.map(({ post_id }, i) => posters[i % 2]!.complete(post_id)),
      ...images.map((id) => api.delete(`/images/${id}`)),
      ...[1, 2].map(() => forms.put(`/videos/${video.id}/thumbnail`, thumbnail)),
      ...feeds.map((id) => api.post(`/feeds/${id}/content`, { content_ids, content_type: 'mixed' })),
      ...feeds.map((id) => api.put(`/feeds/${id}`, { description: `${round}` })),
      api.patch(`${posters[0]!.base}/${first}`, { creator_id: `c${round}` }),
      api.put(`/videos/${video.id}/chapters`, { chapters: [{ title: `${round}`, start_time_sec: 0 }] }),
      ...[first, third].map((id) => api.post(`${posters[0]!.base}/${id}/move`, { after: second })),
      ...[second, third].map((id) => api.post(`${posters[0]!.base}/${id}/move`, { before: first })),
      api.delete(`${posters[0]!.base}/${first}`),
    ])
    // Somebody may come too late; nobody may fail.
    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status))).toEqual(
      [],
    )
  }

  for (const id of feeds) {
    const seen = await scroll(api, id, 'limit=100')
    const [row] = await sql`
      select post_count, (select count(*) from posts where feed_id = f.id and published) as counted,
        (select sum(post_count)::bigint from feed_blocks where feed_id = f.id) as in_blocks,
        (select sum(post_count)::bigint from feed_creators where feed_id = f.id) as of_creators
      from feeds f where id = ${id}`
    const count = seen.length
    expect(row).toEqual({ post_count: count, counted: count, in_blocks: count, of_creators: count })
  }
})

test('those who add to and take from the same feeds at once all succeed', { timeout: 900_000 }, async () => {
  const { api } = await composeForTest({
    env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0', MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0' },
  })
  const jpeg = await smallJpeg()
  const feeds = await Promise.all(
    ['F', 'G'].map(async (name) => (await api.post('/feeds', { name })).body.id),
  )
  for (let round = 0; round < ROUNDS; round++) {
    const images = await Promise.all(
      Array.from({ length: 12 }, async () => (await uploaderOf(api).upload(jpeg)).body.id),
    )
    const added = await Promise.all(
      images.flatMap((id) =>
        feeds.map((feed) => api.post(`/feeds/${feed}/content`, { content_ids: [id], content_type: 'image' })),
      ),
    )
    expect(added.map(({ status }) => status)).toEqual(added.map(() => 200))
    const removed = await Promise.all(images.map((id) => api.delete(`/images/${id}`)))
    expect(removed.map(({ status }) => status)).toEqual(removed.map(() => 204))
  }
})
