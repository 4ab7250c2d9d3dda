import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { says } from '../support/scripted-server.ts'
import { receiverOf, TELLS_LOOPBACK } from './receiver.ts'

/** A feed with one post, and whoever is told of it. */
async function feedWithPost(env: Record<string, string> = {}) {
  const { api, seed } = await composeForTest({ env: { ...TELLS_LOOPBACK, ...env } })
  const project = { orgId: seed.org_id, projectId: seed.project_id }
  const kinds = ['post.published', 'post.deleted']
  const receiver = await receiverOf({ api, ...project }, [says(204)], { kinds })
  const feed = await api.post('/feeds', { name: 'News' })
  const author = authorOf(api, project.projectId, feed.body.id)
  const post = await author.post(await smallJpeg())
  const told = () => receiver.told().map(({ type, data }) => `${type} ${data.post_id}`)
  return { api, author, feedId: feed.body.id, post, told, receiver }
}

test('a post that is taken back is told as deleted, as published when it is back, and never as a draft', async () => {
  const { api, author, feedId, post, told, receiver } = await feedWithPost()
  const address = `${author.base}/${post.id}`
  await api.patch(address, { description: 'changes nothing of that' })
  await api.patch(address, { published: false })
  await api.patch(address, { published: false })
  await api.patch(address, { published: true })
  await api.patch(address, { published: false })
  // Nobody saw it, so that nobody misses it.
  expect((await api.delete(address)).status).toBeLessThan(300)
  const last = await author.post(await smallJpeg())
  const steps = ['published', 'deleted', 'published', 'deleted'].map((step) => `post.${step} ${post.id}`)
  // In order for each post, not among them.
  await expect.poll(told).toHaveLength(5)
  expect(told()).toContain(`post.published ${last.id}`)
  expect(told().filter((line) => line.endsWith(post.id))).toEqual(steps)
  expect(receiver.told().find(({ type }) => type === 'post.deleted')?.data).toMatchObject({
    id: post.id,
    feed_id: feedId,
  })
})

test('a post goes with its picture into the trash and comes back with it, which is told', async () => {
  const { api, post, told } = await feedWithPost({ MARQUEE_TRASH_LIFETIME: '3600' })
  expect((await api.delete(`/images/${post.image.id}`)).status).toBeLessThan(300)
  expect((await api.post(`/images/${post.image.id}/restore`)).status).toBeLessThan(300)
  const steps = ['published', 'deleted', 'published'].map((step) => `post.${step} ${post.id}`)
  await expect.poll(told).toEqual(steps)
})
