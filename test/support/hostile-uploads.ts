import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { local, objectsOnDisk } from './media.ts'
import { mediaPrograms } from './media-programs.ts'
import { discard, startService } from './service.ts'
import { clip, videoUploaderOf } from './video.ts'

/** A service to be attacked, a folder to make the files in, and what has to hold after each attack. */
export async function openTarget() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-hostile-'))
  const service = await startService()
  const { send, complete, upload } = videoUploaderOf(service.api)
  const good = await clip(1)

  async function expectUnharmed(): Promise<void> {
    expect(mediaPrograms(service)).toEqual([])
    expect(objectsOnDisk(service.dataDir)).toEqual([])
    expect((await service.api.get('/project')).body.storage_used).toBe(0)
    expect(service.output()).not.toMatch(/"level":[56]0/)
    const video = await upload(good)
    const playlist = await fetch(local(video.file.url))
    expect([playlist.status, await playlist.text()]).toEqual([200, expect.stringContaining('#EXTM3U')])
    expect((await service.api.delete(`/videos/${video.id}`)).status).toBe(204)
    while (mediaPrograms(service).length + objectsOnDisk(service.dataDir).length > 0) await sleep(50)
  }

  return {
    folder,
    service,
    expectUnharmed,
    /** Sends a file, which has to be refused with these words and nothing else. */
    async expectRefused(file: string, words: RegExp): Promise<void> {
      const { video_id } = await send(readFileSync(file))
      const answer = await complete(video_id)
      expect(answer.body).toEqual({
        code: 400,
        error: 'Invalid request body',
        details: expect.stringMatching(words),
      })
      expect(answer.body.details).not.toMatch(/\/|ffmpeg|ffprobe|bwrap|0x/)
      expect((await service.api.get(`/videos/${video_id}`)).status).toBe(404)
      await expectUnharmed()
    },
    async close(): Promise<void> {
      await service.stop()
      discard(service.dataDir)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Target = Awaited<ReturnType<typeof openTarget>>
