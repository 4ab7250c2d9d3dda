import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { openFilm } from '../support/player/film.ts'
import { openTheatre, type Theatre } from '../support/player/theatre.ts'
import { findOwnMedia } from '../support/videos/own-media.ts'
import { makeSource, type SourceKind, sourceKinds } from '../support/videos/sources.ts'
import {
  expectNoTrouble,
  expectSubtitles,
  hearSounds,
  type Line,
  watchAround,
  watchLevels,
  watchToEnd,
} from './watching.ts'

const isLong = Boolean(process.env.MARQUEE_TEST_LONG)
const ORDINARY: SourceKind[] = ['mp4-h264-aac', 'one-frame-long-audio', 'several-audio-tracks']
/** Of a container that is not taken; there to make another. */
const REFUSED: SourceKind = 'start-time-ts'
const KINDS = isLong ? sourceKinds.filter((kind) => kind !== REFUSED) : ORDINARY

const OWN = await findOwnMedia()

describe.runIf(hasBrowser)('a player in a browser', () => {
  let theatre: Theatre
  beforeAll(async () => {
    theatre = await openTheatre()
  })
  afterAll(() => theatre?.close())

  async function watchAll(file: string): Promise<void> {
    const film = await openFilm(file)
    const video = await theatre.upload(file)
    const lines = linesFor(video.duration)
    await theatre.forms.put(`/videos/${video.id}/subtitles/en`, ['file', { content: asSrt(lines) }])
    const player = await theatre.player()
    const choices = await player.load(video.url)
    expect(Math.abs((await player.state()).duration - video.duration)).toBeLessThan(0.05)
    await watchToEnd(player, film)
    await watchAround(player, film)
    await watchLevels(player, film, choices)
    await hearSounds(player, choices)
    await player.seek(0)
    await expectSubtitles(player, 0, lines)
    await expectNoTrouble(player, film)
  }

  test.each(KINDS)('shows all of %s', { timeout: 600_000 }, async (kind) => {
    await watchAll(await makeSource(kind))
  })

  const named = (file: string) => [path.basename(file), file] as const

  test.each(OWN.videos.map(named))('shows all of %s', { timeout: 600_000 }, async (_name, file) => {
    await watchAll(file)
  })

  test.each(OWN.others.map(named))('there is no video in %s', async (_name, file) => {
    const { video_id } = await theatre.send(await readFile(file))
    expect((await theatre.complete(video_id)).body).toMatchObject({ code: 400, details: expect.any(String) })
  })
})

/** Two lines near the beginning, where the subtitles are loaded of a video of any length. */
function linesFor(duration: number): Line[] {
  const span = Math.min(duration, 8)
  const at = (share: number) => Math.round(share * span * 1000) / 1000
  return [
    { from: at(0.1), to: at(0.3), text: 'First line' },
    { from: at(0.45), to: at(0.9), text: 'and the <i>second</i>' },
  ]
}

function asSrt(lines: Line[]): string {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',')
  return lines.map(({ from, to, text }, i) => `${i + 1}\n${time(from)} --> ${time(to)}\n${text}\n`).join('\n')
}
