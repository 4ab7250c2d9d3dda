import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { whenSettled } from '../films.ts'
import { checkHls, type Expectation } from '../hls/check.ts'
import { composeForTest } from '../in-process.ts'
import { local } from '../media.ts'
import { videoUploaderOf } from '../video.ts'
import { makeSource, type SourceKind } from './sources.ts'

/** Pictures that stay on are shown again in every segment they last for. */
const EXPECTED: Partial<Record<SourceKind, Partial<Expectation>>> = {
  'one-frame-long-audio': { frameTimes: 'held' },
  'audio-longer': { frameTimes: 'held' },
  slideshow: { frameTimes: 'held' },
}

/** Made in the background, which gives way to everything else a busy machine does. */
const PATIENCE = { timeout: 900_000 }

/** Each kind of source is uploaded, made in all its renditions, and every one of those is checked against it. */
export function testThatPlays(kinds: readonly SourceKind[]): void {
  for (const kind of kinds)
    test(`${kind} plays as it is in the source, in every rendition`, PATIENCE, async () => {
      expect(await problemsOf(await makeSource(kind), EXPECTED[kind])).toEqual([])
    })
}

/** The same for files that others made. */
export function testThatFilesPlay(files: readonly string[]): void {
  for (const file of files)
    test(`${path.basename(file)}, which others made, plays as it is`, PATIENCE, async () => {
      expect(await problemsOf(file)).toEqual([])
    })
}

async function problemsOf(source: string, expected: Partial<Expectation> = {}): Promise<string[]> {
  const { api } = await composeForTest()
  const video = await videoUploaderOf(api).upload(await readFile(source), {
    file_name: path.basename(source),
  })
  expect(video.file.status).toBe('ready')
  expect((await whenSettled(api, video.id)).status).toBe('complete')
  return checkHls(local(video.file.url), { source, settled: true, ...expected })
}
