import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { inSeconds, newSigningKey } from '../support/playback.ts'
import { smallJpeg } from '../support/posts.ts'
import { status } from '../support/private-media.ts'

test('signing keys are exchanged without a gap: tokens of the old one and of the new one open the same', async () => {
  const { api, seed } = await composeForTest()
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  await api.patch(`/images/${image.id}`, { visibility: 'private' })
  const before = await newSigningKey(api, seed.org_id, seed.project_id)
  const after = await newSigningKey(api, seed.org_id, seed.project_id)
  const opens = async (key: typeof before) => {
    const token = await key.sign({ sub: image.id, exp: inSeconds(60) })
    return (await status(`${local(image.file.url)}?token=${token}`)).status
  }
  expect([await opens(before), await opens(after)]).toEqual([200, 200])
  const keys: string = `/organizations/${seed.org_id}/signing-keys/v1`
  expect((await api.delete(`${keys}/${before.id}`)).status).toBe(204)
  expect([await opens(before), await opens(after)]).toEqual([403, 200])
})

test('a project has at most twenty signing keys', async () => {
  const { api, seed } = await composeForTest()
  const keys: string = `/organizations/${seed.org_id}/signing-keys/v1`
  const first = await newSigningKey(api, seed.org_id, seed.project_id)
  for (let i = 1; i < 20; i++) await newSigningKey(api, seed.org_id, seed.project_id)
  const more = () => api.post(keys, { project_id: seed.project_id, name: 'One more' })
  expect((await more()).status).toBe(409)
  await api.delete(`${keys}/${first.id}`)
  expect((await more()).status).toBe(201)
})
