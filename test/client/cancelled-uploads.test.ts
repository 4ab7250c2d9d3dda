import { expect, test } from 'vitest'
import { createClient, type UploadOptions, uploads } from '../../packages/client/src/index.ts'
import { composeForTest } from '../support/in-process.ts'
import { largePicture } from '../support/large-picture.ts'
import { objectsOnDisk } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip } from '../support/video.ts'

const MIB = 2 ** 20

test('one that is cancelled leaves nothing behind', async () => {
  const { url, seed, dataDir } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const upload = uploads(client)(await largePicture(), {
    onProgress: ({ sent }) => {
      if (sent > MIB) upload.cancel()
    },
  })
  await expect(upload.done).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
  expect((await client.get('/images')).data).toEqual([])

  const leaving = new AbortController()
  const waiting = uploads(client)(await largePicture(), { signal: leaving.signal })
  waiting.pause()
  leaving.abort(new Error('left the page'))
  await expect(waiting.done).rejects.toThrow('left the page')
})

test('one that is cancelled when all of it has arrived leaves nothing behind either', async () => {
  const { url, seed, dataDir } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const film = new Blob([new Uint8Array(await clip(2))], { type: 'video/mp4' })
  const poster = new Blob([new Uint8Array(await smallJpeg())], { type: 'image/jpeg' })
  const { id: feedId } = await client.post('/feeds', { body: { name: 'news' } })
  let cancel = () => {}
  const cancelling = createClient({
    ...client.options,
    fetch(address, init) {
      if (String(address).endsWith('/complete')) cancel()
      return fetch(address, init)
    },
  })
  const kinds: [Blob, UploadOptions][] = [
    [await largePicture(), {}],
    [film, { poster }],
    [film, { feedId, poster }],
  ]
  for (const [content, options] of kinds) {
    const upload = uploads(cancelling)(content, options)
    cancel = () => upload.cancel()
    await expect(upload.done).rejects.toMatchObject({ name: 'AbortError' })
    expect(objectsOnDisk(dataDir)).toEqual([])
    expect((await client.get('/uploads')).data).toEqual([])
  }
  const path = { projectId: seed.project_id, feedId }
  const drafts = await client.get('/posts/v1/projects/{projectId}/feeds/{feedId}/posts', {
    path,
    query: { status: 'draft' },
  })
  expect(drafts.data).toEqual([])
})

test('one that is cancelled while it is completed is not there afterwards, unless it is said to be done', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const film = new Blob([new Uint8Array(await clip(2))], { type: 'video/mp4' })
  const { id: feedId } = await client.post('/feeds', { body: { name: 'news' } })
  const shown = async () => [
    ...(await client.get('/videos')).data,
    ...(await client.get('/feeds/{feedId}', { path: { feedId } })).data,
  ]
  for (const options of [{}, { feedId }])
    for (const delay of [5, 50, 150]) {
      const cancelling = createClient({
        ...client.options,
        fetch(address, init) {
          if (String(address).endsWith('/complete')) setTimeout(() => upload.cancel(), delay)
          return fetch(address, init)
        },
      })
      const upload = uploads(cancelling)(film, options)
      const made = await upload.done.catch(() => undefined)
      const [video] = (await client.get('/videos')).data
      if (made) await client.delete('/videos/{videoId}', { path: { videoId: video!.id } })
      expect(await shown()).toEqual([])
    }
})
