import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { segmentsMade } from '../support/films.ts'
import { openFilm } from '../support/player/film.ts'
import { openTheatre, type Theatre } from '../support/player/theatre.ts'
import { ffmpeg } from '../support/videos/programs.ts'
import { expectFrame, expectNoTrouble } from './watching.ts'

const SECONDS = 90
const RATE = 25
const SEGMENTS = Math.ceil(SECONDS / 4)

describe.runIf(hasBrowser)('a player that seeks in what is not made yet', () => {
  let theatre: Theatre
  beforeAll(async () => {
    // Nobody works in the background: what is played is made when it is asked for, and nothing else is.
    theatre = await openTheatre({ MARQUEE_ROLES: 'api' })
  })
  afterAll(() => theatre?.close())

  async function longFilm(name: string, keyFramesApart: number) {
    const file = path.join(theatre.folder, `${name}.mp4`)
    await ffmpeg([
      ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${RATE}:duration=${SECONDS}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`, '-pix_fmt', 'yuv420p'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', String(keyFramesApart)],
      ...['-sc_threshold', '0', '-c:a', 'aac', file],
    ])
    return openFilm(file)
  }

  test.each([
    ['copied', 2 * RATE],
    ['encoded', SECONDS * RATE],
  ])('finds every place of a %s video', { timeout: 600_000 }, async (name, keyFramesApart) => {
    const film = await longFilm(name, keyFramesApart)
    const video = await theatre.upload(film.file)
    const player = await theatre.player()
    await player.load(video.url)
    for (const second of [80, 30, 33, 55, 1]) {
      await expectFrame(player, film, second * RATE)
      await player.play(1)
    }
    await player.seek(SECONDS - 2)
    await player.playToEnd(1)
    await expectNoTrouble(player, film)
  })

  test('begins in the middle', { timeout: 600_000 }, async () => {
    const film = await longFilm('middle', SECONDS * RATE)
    const video = await theatre.upload(film.file)
    const player = await theatre.player()
    await player.load(video.url, 60)
    await expectFrame(player, film, 60 * RATE)
    await player.play(2)
    await expectNoTrouble(player, film)
    // The sound is made in one pass; of the pictures, what lies before was never asked for.
    const made = await segmentsMade(theatre.api, video.id)
    expect(made).toBeLessThan(2 * SEGMENTS - 10)
  })
})
