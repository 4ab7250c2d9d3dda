import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { scratchFolder } from '../support/backups.ts'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { killedCommand, marquee } from '../support/marquee.ts'
import { uploaderOf } from '../support/media.ts'
import { discard, emptyDataDir, failingStart, killAllIn, startService } from '../support/service.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 20 : 2

test(`a backup and a restore that are killed ${KILLS} times are done by doing them again`, {
  timeout: 180_000 + KILLS * 30_000,
}, async () => {
  const service = await startService()
  onTestFinished(async () => {
    await service.stop()
    discard(service.dataDir)
  })
  const { api, dataDir } = service
  const place = path.join(scratchFolder(), 'backups')
  const images: string[] = []
  for (let i = 0; i < 10; i++)
    images.push(
      (
        await uploaderOf(api).upload(
          await scene(100 + i, 100)
            .jpeg()
            .toBuffer(),
        )
      ).body.id,
    )
  expect((await api.post('/analytics/v1/events', watching(videoOf(1), 500))).status).toBe(200)

  const began = performance.now()
  expect((await marquee(dataDir, 'backup', path.join(place, 'measure'))).code).toBe(0)
  const took = 700 + performance.now() - began
  let cut = 0
  for (let i = 0; i < KILLS; i++)
    if (await killedCommand({ MARQUEE_DATA_DIR: dataDir }, (took * (i + 1)) / (KILLS + 1), 'backup', place))
      cut++
  expect(cut).toBeGreaterThan(0)
  // The lock went with the connection, and what was begun is no backup.
  const made = await marquee(dataDir, 'backup', place, '--json')
  expect(made.code, made.err).toBe(0)
  expect((await marquee(dataDir, 'verify', place, '--json')).json()).toMatchObject({
    id: made.json().id,
    problems: [],
    events: 500,
  })

  const other = emptyDataDir()
  onTestFinished(() => discard(other))
  let interrupted = 0
  for (let i = 0; i < KILLS; i++) {
    const wasKilled = await killedCommand(
      { MARQUEE_DATA_DIR: other },
      (4000 * (i + 1)) / (KILLS + 1),
      'restore',
      place,
      '--at',
      made.json().id,
    )
    killAllIn(other)
    await sleep(200)
    if (!wasKilled) break
    interrupted++
    // Before it has written down that it begins, nothing has been done.
    if (!existsSync(path.join(other, 'restoring'))) continue
    const { code, lines } = await failingStart(other)
    expect(code).toBe(1)
    expect(lines.join()).toMatch(/being restored, and is not whole/)
  }
  expect(interrupted).toBeGreaterThan(0)
  const restored = await marquee(other, 'restore', place, '--at', made.json().id, '--json')
  expect(restored.code, restored.err).toBe(0)
  const again = await startService({ dataDir: other })
  onTestFinished(async () => void (await again.stop()))
  for (const id of images) expect((await again.api.get(`/images/${id}`)).status).toBe(200)
  expect(await watchesOf(again.api, videoOf(1))).toBe(500)
})
