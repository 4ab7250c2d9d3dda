import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { collector } from '../support/collector.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { inSeconds, newSigningKey } from '../support/playback.ts'
import { says } from '../support/scripted-server.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

test('a token is checked without the database: a private segment asks it no more than a public one', async () => {
  const collects = await collector(says(200))
  const { api, seed } = await composeForTest({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collects.url, OTEL_BSP_SCHEDULE_DELAY: '50', MARQUEE_ROLES: 'api' },
    fresh: true,
  })
  const video = await videoUploaderOf(api).upload(await clip(2))
  const path: string = `/videos/${video.id}`
  const segment = `${local(video.file.url)}/v90/0.m4s`
  /** Statements of one request, which are the spans below it that say so. */
  async function statements(query: string): Promise<string[]> {
    const traceId = randomBytes(16).toString('hex')
    const answer = await fetch(segment + query, {
      headers: { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` },
    })
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
    const spans = () => collects.spans().filter((span) => span.traceId === traceId)
    await expect.poll(() => spans().some(({ kind }) => kind === 2)).toBe(true)
    return spans().flatMap(({ attributes }) => attributes['db.query.text'] ?? [])
  }

  await statements('')
  const asPublic = await statements('')
  // What was deleted or made private meanwhile is known by it: who may see the file comes with the file.
  expect(asPublic).toContainEqual(expect.stringMatching(/ from files where /))

  await api.patch(path, { visibility: 'private' })
  const key = await newSigningKey(api, seed.org_id, seed.project_id)
  const signed = () =>
    key.sign({ sub: video.id, exp: inSeconds(600), viewer: randomBytes(4).toString('hex') })
  const issued = async () => (await api.post(`${path}/playback-token`)).body.token as string
  // The public half of a key is read once.
  await statements(`?token=${await signed()}`)
  for (const token of [await signed(), await issued()])
    for (const time of ['first', 'second'])
      expect(await statements(`?token=${token}`), `the ${time} time`).toEqual(asPublic)
})
