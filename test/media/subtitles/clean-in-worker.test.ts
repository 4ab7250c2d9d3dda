import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cleanSubtitlesInWorker } from '../../../server/media/subtitles/clean-in-worker.ts'
import { UnreadableSubtitles } from '../../../server/media/subtitles/errors.ts'
import { cleanSubtitles } from '../../../server/media/subtitles/read-subtitles.ts'

const film = (cues: number) =>
  Buffer.from(
    Array.from({ length: cues }, (_, i) => {
      const at = `${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`
      return `${i + 1}\n00:${at},000 --> 00:${at},900\nLine <i>${i}</i>\n`
    }).join('\n'),
  )

test('large subtitles come out as small ones do, and leave the process free meanwhile', async () => {
  const large = Buffer.concat([film(3000), Buffer.from('\n'), Buffer.alloc(2 ** 20, 'x\n')])
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const cleaned = await cleanSubtitlesInWorker(large)
  clearInterval(counting)
  expect(cleaned).toEqual(cleanSubtitles(large))
  await sleep(0)
  expect(turns).toBeGreaterThan(0)
  expect(await cleanSubtitlesInWorker(film(10))).toEqual(cleanSubtitles(film(10)))
})

test('what cannot be read is refused in the same words', async () => {
  for (const size of [100, 2 ** 20])
    await expect(cleanSubtitlesInWorker(Buffer.alloc(size, 'a'))).rejects.toThrow(UnreadableSubtitles)
})
