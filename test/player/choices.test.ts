import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { whenSettled } from '../support/films.ts'
import { type Film, openFilm } from '../support/player/film.ts'
import type { Player } from '../support/player/theatre.ts'
import { openTheatre, type Theatre } from '../support/player/theatre.ts'
import { made } from '../support/video.ts'
import { ffmpeg } from '../support/videos/programs.ts'
import { makeSource } from '../support/videos/sources.ts'
import { expectFrame, expectNoTrouble, expectSubtitles } from './watching.ts'

const SECONDS = 24
const TIMEOUT = { timeout: 600_000 }

const tone = (frequency: number) => ['-f', 'lavfi', '-i', `sine=frequency=${frequency}:duration=${SECONDS}`]
const track = async (frequency: number) => ({ content: await made(tone(frequency), 'mp3') })

describe.runIf(hasBrowser)('a player that is given a choice', () => {
  let theatre: Theatre
  let film: Film
  // Two rungs, the upper one copied, and two sounds.
  let video: Awaited<ReturnType<Theatre['upload']>>
  beforeAll(async () => {
    theatre = await openTheatre()
    const file = path.join(theatre.folder, 'choices.mp4')
    await ffmpeg([
      ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=854x480:rate=25:duration=${SECONDS}`],
      ...[...tone(440), ...tone(880), '-map', '0', '-map', '1', '-map', '2', '-pix_fmt', 'yuv420p'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-c:a', 'aac'],
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra', file],
    ])
    film = await openFilm(file)
    video = await theatre.upload(file)
    // A rung that is not made in time is a matter of the machine, not of the player.
    await whenSettled(theatre.api, video.id)
  }, 600_000)
  afterAll(() => theatre?.close())

  test('switches rungs while it plays and at once, up and down', TIMEOUT, async () => {
    const player = await theatre.player()
    const { levels } = await player.load(video.url)
    expect(levels.map(({ width, height }) => [width, height])).toEqual([
      [640, 360],
      [854, 480],
    ])
    for (const [from, to] of [
      [0, 1],
      [1, 0],
    ] as const) {
      await player.load(video.url)
      await player.switchLevel(from, 'currentLevel')
      await player.switchLevel(to, 'nextLevel')
      expect((await player.state()).ended).toBe(false)
      await expectNoTrouble(player, film)
    }
    for (const level of [1, 0]) {
      await player.switchLevel(level, 'currentLevel')
      await expectFrame(player, film, 321)
    }
    await expectNoTrouble(player, film)
  })

  async function expectTone(player: Player, number: number, frequency: number): Promise<void> {
    await player.seek(1)
    await player.play(0.2)
    await player.switchSound(number)
    await player.play(1)
    expect(Math.abs((await player.frequency()) - frequency)).toBeLessThan(20)
  }

  test('switches to the other sounds of a video, and to those added to it', TIMEOUT, async () => {
    const player = await theatre.player()
    const { sounds } = await player.load(video.url)
    expect(sounds).toEqual([
      { name: 'English', lang: 'en', isDefault: true },
      { name: 'French', lang: 'fr', isDefault: false },
    ])
    await player.play(1)
    expect(Math.abs((await player.frequency()) - 440)).toBeLessThan(20)
    await expectTone(player, 1, 880)
    await expectTone(player, 0, 440)

    const added = await theatre.forms.post(
      `/videos/${video.id}/audio-tracks`,
      ['files', await track(1760)],
      ['files', await track(3520)],
      ['language_codes', 'de,es'],
      ['labels', 'Deutsch,Español'],
    )
    expect(added.status).toBe(200)
    const all = await player.load(video.url)
    expect(all.sounds.map(({ name }) => name)).toEqual(['English', 'French', 'Deutsch', 'Español'])
    expect(all.sound).toBe(0)
    await expectTone(player, 3, 3520)
    await expectTone(player, 1, 880)
    await expectTone(player, 2, 1760)
    await expectNoTrouble(player, film)
  })

  test('plays the first sound that is added to a silent video', TIMEOUT, async () => {
    const silent = await openFilm(await makeSource('no-audio'))
    const { id, url } = await theatre.upload(silent.file)
    for (const [language, frequency] of [
      ['fr', 660],
      ['en', 1320],
    ] as const)
      await theatre.forms.put(`/videos/${id}/audio-tracks/${language}`, ['file', await track(frequency)])
    const player = await theatre.player()
    const { sounds, sound } = await player.load(url)
    expect(sounds.map(({ lang, isDefault }) => [lang, isDefault])).toEqual([
      ['fr', true],
      ['en', false],
    ])
    expect(sound).toBe(0)
    await player.play(1)
    expect(Math.abs((await player.frequency()) - 660)).toBeLessThan(20)
    await expectTone(player, 1, 1320)
    await player.playToEnd(2)
    await expectNoTrouble(player, silent)
  })

  test('shows subtitles to the millisecond, and new ones when they are replaced', TIMEOUT, async () => {
    const base = `/videos/${video.id}/subtitles`
    const first = `1
00:00:00,123 --> 00:00:01,457
Hello <i>there</i>

2
00:00:03,500 --> 00:00:08,250
over two borders

3
00:00:20,001 --> 00:00:21,999
and goodbye
`
    expect((await theatre.forms.put(`${base}/en`, ['file', { content: first }])).status).toBe(200)
    const lines = [
      { from: 0.123, to: 1.457, text: 'Hello <i>there</i>' },
      { from: 3.5, to: 8.25, text: 'over two borders' },
      { from: 20.001, to: 21.999, text: 'and goodbye' },
    ]
    const player = await theatre.player()
    expect((await player.load(video.url)).subtitles).toEqual([{ name: 'English', lang: 'en' }])
    await expectSubtitles(player, 0, lines)
    // From a place in the middle on, only what is still to come is loaded.
    await player.load(video.url, 17)
    await expectSubtitles(player, 0, lines.slice(2))

    const [english, french] = [
      'WEBVTT\n\n00:02.000 --> 00:05.000\nNew\n',
      'WEBVTT\n\n00:06.789 --> 00:07.000\nNeuf\n',
    ]
    const replaced = await theatre.forms.post(
      base,
      ['files', { content: french! }],
      ['files', { content: english! }],
      ['language_codes', 'fr,en'],
      ['labels', 'Français,English'],
    )
    expect(replaced.status).toBe(200)
    const { subtitles } = await player.load(video.url)
    expect(subtitles.map(({ name }) => name)).toEqual(['Français', 'English'])
    await expectSubtitles(player, 1, [{ from: 2, to: 5, text: 'New' }])
    await expectSubtitles(player, 0, [{ from: 6.789, to: 7, text: 'Neuf' }])
    await expectNoTrouble(player, film)
  })
})
