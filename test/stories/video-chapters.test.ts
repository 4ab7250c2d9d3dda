import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

test('chapters are set, shown with the video, and deleted', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api } = service
  const video = await videoUploaderOf(service.api).upload(await clip(4))
  const path = `/videos/${video.id}/chapters`
  const marks = [
    { title: 'Start', start_time_sec: 0.5 },
    { title: 'Middle: “čaj” 🫖', start_time_sec: 1.25 },
    { title: 'End', start_time_sec: 3 },
  ]
  const set = await api.put(path, { chapters: marks })
  expect(set.status).toBe(200)
  expect(set.body).toEqual({
    video_id: video.id,
    chapters: [
      { ...marks[0], end_time_sec: 1.25, duration_label: '00:00' },
      { ...marks[1], end_time_sec: 3, duration_label: '00:01' },
      { ...marks[2], end_time_sec: video.duration, duration_label: '00:01' },
    ],
  })
  const shown = (await api.get(`/videos/${video.id}`)).body
  expect(shown.chapters).toEqual(set.body.chapters)
  expect(shown.file.updated_at > video.file.updated_at).toBe(true)
  expect((await api.get('/videos')).body.data[0].chapters).toEqual(set.body.chapters)

  expect((await api.get(path)).body).toEqual(set.body)
  for (const [index, status] of [
    ['3', 404],
    ['999', 404],
    ['1000', 400],
    ['-1', 400],
    ['x', 400],
    ['1.5', 400],
  ] as const)
    expect((await api.delete(`${path}/${index}`)).status, index).toBe(status)
  const one = await api.delete(`${path}/1`)
  expect([one.status, one.body]).toEqual([
    200,
    {
      video_id: video.id,
      chapters: [
        { ...marks[0], end_time_sec: 3, duration_label: '00:02' },
        { ...marks[2], end_time_sec: video.duration, duration_label: '00:01' },
      ],
    },
  ])
  expect((await api.get(path)).body).toEqual(one.body)
  expect((await api.put(path, { chapters: marks })).body).toEqual(set.body)

  const wrong: [unknown, RegExp][] = [
    [[{ title: 'x', start_time_sec: -1 }], /chapters\[0\]\.start_time_sec/],
    [[{ title: 'x', start_time_sec: video.duration }], /chapters\[0\]\.start_time_sec: the video ends/],
    [[{ title: 'x', start_time_sec: 1e9 }], /the video ends/],
    [[marks[1], marks[0]], /chapters\[1\]\.start_time_sec: must be later/],
    [[marks[0], { title: 'same', start_time_sec: 0.5 }], /chapters\[1\]\.start_time_sec: must be later/],
    [[{ title: '', start_time_sec: 0 }], /chapters\[0\]\.title/],
    [[{ title: 'x' }], /chapters\[0\]\.start_time_sec: is required/],
    [[{ title: 'a\u0000b', start_time_sec: 0 }], /chapters\[0\]\.title/],
    ['none', /chapters/],
    [Array.from({ length: 1001 }, (_, i) => ({ title: 'x', start_time_sec: i / 1000 })), /chapters/],
  ]
  for (const [chapters, details] of wrong)
    expect((await api.put(path, { chapters })).body).toEqual({
      code: 400,
      error: 'Bad Request',
      details: expect.stringMatching(details),
    })
  expect((await api.get(`/videos/${video.id}`)).body.chapters).toEqual(set.body.chapters)

  const deleted = await api.delete(path)
  expect([deleted.status, deleted.body]).toEqual([200, { video_id: video.id, chapters: [] }])
  expect((await api.get(`/videos/${video.id}`)).body.chapters).toEqual([])
  expect((await api.delete(path)).status).toBe(200)
  expect((await api.put(path, { chapters: [] })).body.chapters).toEqual([])
})
