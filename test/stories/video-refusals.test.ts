import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

const UNKNOWN = 'vid_00000000000000000000000000'

test('the rows of the error table', async () => {
  const service = await composeForTest()
  const { api, seed } = service
  const says = async (answer: Promise<{ body: { code: number; error: string } }>) => {
    const { code, error } = (await answer).body
    return `${code} ${error}`
  }
  const nobody = api.as(key('mq_sk_nonsense'))
  const reader = api.as(key(seed.publishable_key))
  const chapters = `/videos/${UNKNOWN}/chapters`
  expect(await says(api.post('/videos/upload/complete', {}))).toBe('400 Invalid request body')
  expect(await says(api.post('/videos/upload/complete', { video_id: 'x' }))).toBe('400 Invalid request body')
  expect(await says(nobody.post('/videos/upload/complete', {}))).toBe('401 Unauthorized - Invalid API key')
  expect(await says(reader.post('/videos/upload/complete', { video_id: UNKNOWN }))).toBe('403 Access denied')
  expect(await says(api.post('/videos/upload/complete', { video_id: UNKNOWN }))).toBe('404 File not found')
  expect(await says(api.get('/videos/x'))).toBe('400 Invalid video ID')
  expect(await says(nobody.get(`/videos/${UNKNOWN}`))).toBe('401 Unauthorized')
  expect(await says(reader.get(`/videos/${UNKNOWN}`))).toBe('403 Forbidden')
  expect(await says(api.get(`/videos/${UNKNOWN}`))).toBe('404 Video not found')
  expect(await says(api.get('/videos?limit=0'))).toBe('400 Invalid query parameters')
  expect(await says(nobody.get('/videos'))).toBe('401 Unauthorized')
  expect(await says(reader.get('/videos'))).toBe('403 Forbidden')
  expect(await says(nobody.delete(chapters))).toBe('401 Unauthorized - Invalid API key')
  expect(await says(reader.delete(chapters))).toBe('403 Access denied')
  expect(await says(api.delete(chapters))).toBe('404 Video not found')
  for (const path of [`/videos/${UNKNOWN}/subtitles/en`, `/videos/${UNKNOWN}/audio-tracks/en`]) {
    expect(await says(nobody.delete(path))).toBe('401 Unauthorized')
    expect(await says(reader.delete(path))).toBe('403 Forbidden')
    expect(await says(api.delete(path))).toBe('404 Not Found')
  }
  for (const body of [{}, { file_name: 'x', video_quality: '8k' }, { file_name: 'x', image_format: 'gif' }])
    expect(await says(api.post('/videos/upload/init', body))).toBe('400 Bad Request')
  expect(await says(api.delete('/videos/x'))).toBe('400 Bad Request')
})

test('tenants never see each other', async () => {
  const service = await composeForTest()
  const { api } = service
  const mine = await videoUploaderOf(service.api).upload(await clip())
  const other = await addTenant(service, 'other')
  for (const credential of [key(other.secretKey), bearer(other.ownerToken)]) {
    const theirs = service.api.as(credential)
    const forms = formsOf(service, credential)
    const file = { content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nx\n' }
    const lists: [string, string | typeof file][] = [
      ['files', file],
      ['language_codes', 'en'],
      ['labels', 'x'],
    ]
    const asked = (id: string) =>
      Promise.all([
        theirs.get(`/videos/${id}`),
        theirs.delete(`/videos/${id}`),
        theirs.post('/videos/upload/complete', { video_id: id }),
        theirs.put(`/videos/${id}/chapters`, { chapters: [] }),
        theirs.delete(`/videos/${id}/chapters`),
        theirs.get(`/videos/${id}/subtitles`),
        theirs.get(`/videos/${id}/audio-tracks`),
        theirs.get(`/videos/${id}/chapters`),
        theirs.delete(`/videos/${id}/chapters/0`),
        theirs.delete(`/videos/${id}/subtitles`),
        theirs.delete(`/videos/${id}/subtitles/en`),
        theirs.delete(`/videos/${id}/audio-tracks`),
        theirs.delete(`/videos/${id}/audio-tracks/en`),
        forms.put(`/videos/${id}/subtitles/en`, ['file', file]),
        forms.post(`/videos/${id}/subtitles`, ...lists),
        forms.put(`/videos/${id}/audio-tracks/en`, ['file', file]),
        forms.post(`/videos/${id}/audio-tracks`, ...lists),
        forms.put(`/videos/${id}/thumbnail`, ['thumbnail', file]),
      ])
    const bodies = (answers: { body: object }[]) => answers.map(({ body }) => body)
    const answers = await asked(mine.id)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect(bodies(answers)).toEqual(bodies(await asked(UNKNOWN)))
    expect((await theirs.get('/videos')).body.data).toEqual([])
  }
  expect((await api.get(`/videos/${mine.id}`)).body).toEqual(mine)
})

test('a project over its storage gets no new address', async () => {
  const service = await composeForTest({ env: { MARQUEE_STORAGE_CUSTOM: '1KiB' } })
  await uploaderOf(service.api).upload(await scene(640, 400).jpeg().toBuffer())
  const { init } = videoUploaderOf(service.api)
  expect((await init()).body).toEqual({ code: 403, error: 'Storage limit reached' })
})
