import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { checkHls } from '../support/hls/check.ts'
import { local } from '../support/media.ts'
import { s3Proxy } from '../support/s3-proxy.ts'
import { installationForTest } from '../support/scale/installation.ts'
import { videoUploaderOf } from '../support/video.ts'
import { makeSource } from '../support/videos/sources.ts'

const PARTS = ['v180/3.m4s', 'v180/init.mp4', 'a0/3.m4s', 'v180/1.m4s', 'a0/0.m4s', 'v180/0.m4s']

test('a segment is made once, whichever processes are asked for it, and each of them tells how far the film is', async () => {
  const store = await s3Proxy(inject('engines')!.s3.endpoint)
  const installation = await installationForTest({ env: { MARQUEE_S3_ENDPOINT: store.endpoint } })
  const { api, apis, workers, quickstart } = installation
  const source = await makeSource('mp4-h264-long-gop')
  const { id, file } = await videoUploaderOf(api).upload(await readFile(source))

  const headers = { 'x-api-key': quickstart.api_key, accept: 'text/event-stream' }
  const told = apis.map(async ({ url }) => {
    const text = await (await fetch(`${url}/videos/${id}/progress`, { headers })).text()
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
    return events.map(({ status, percent }) => ({ status, percent }))
  })
  const { pathname } = new URL(file.url)
  const players = apis.flatMap(({ url }) =>
    Array.from({ length: 5 }, () =>
      Promise.all(PARTS.map(async (part) => (await fetch(`${url + pathname}/${part}`)).status)),
    ),
  )
  for (const statuses of await Promise.all(players)) expect(new Set(statuses)).toEqual(new Set([200]))
  for (const events of await Promise.all(told)) {
    expect(events.at(-1)).toMatchObject({ status: 'complete' })
    const percents = events.map(({ percent }) => percent)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  }

  const segments = [...store.stored].filter(([name]) => /\/\d+\.m4s$/.test(name))
  expect(segments.map(([, times]) => times)).toEqual(segments.map(() => 1))
  const made = await Promise.all(
    [...apis, ...workers].map(async ({ url }) => {
      const figures = await (await fetch(`${url}/metrics`)).text()
      return Number(/^marquee_segments_made_total (\d+)/m.exec(figures)![1])
    }),
  )
  expect(made.reduce((sum, each) => sum + each)).toBe(segments.length)
  expect(await checkHls(local(file.url), { source, settled: true })).toEqual([])
})
