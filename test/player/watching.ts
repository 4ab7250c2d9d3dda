import { expect } from 'vitest'
import { difference, FIELDS, type Film, likeness, middleOf, timeOf } from '../support/player/film.ts'
import type { Choices } from '../support/player/in-page.ts'
import type { Player } from '../support/player/theatre.ts'

/** Watched as fast as players go, and of what is longer only the end. */
const RATE = 4
const LONG_SECONDS = 60

/** What a slow machine brings about. Everything else that a player complains of is ours. */
const SLOWNESS = /TimeOut$|^aborted$|^bufferStalledError$|^bufferNudgeOnStall$/

/** From the first frame to the last, without a hole. */
export async function watchToEnd(player: Player, film: Film): Promise<void> {
  const { duration } = await player.state()
  const isLong = duration > LONG_SECONDS
  if (isLong) await player.seek(duration - 5)
  await player.playToEnd(RATE)
  const state = await player.state()
  expect(state.ended).toBe(true)
  expect(Math.abs(state.currentTime - state.duration)).toBeLessThan(0.05)
  expect(state.decodedFrames).toBeGreaterThan(0)
  expect(state.decodedSoundBytes > 0).toBe(film.hasSound)
  if (isLong) return
  expect(state.buffered).toHaveLength(1)
  const [[start, end]] = state.buffered as [[number, number]]
  expect(start).toBe(0)
  expect(end).toBeGreaterThan(state.duration - 0.05)
}

/** To some places and on from there. */
export async function watchAround(player: Player, film: Film, places = [0.7, 0, 0.35]): Promise<void> {
  for (const place of places) {
    await expectFrame(player, film, Math.floor(place * film.times.length))
    await player.play(0.3)
  }
}

/** Seeks to a frame of the source, and finds it on the screen and like the source's. */
export async function expectFrame(player: Player, film: Film, number: number): Promise<void> {
  const { duration } = await player.state()
  const frame = { time: film.times[number]!, middle: middleOf(film, number, duration) }
  await player.seek(timeOf(film, number, duration), frame)
  const [seen, real] = await Promise.all([player.picture(...FIELDS), film.picture(number)])
  const about = `frame ${number}`
  if (film.isHdr) expect(likeness(seen, real), about).toBeGreaterThan(0.85)
  else expect(difference(seen, real), about).toBeLessThan(film.isTiny ? 20 : 4)
}

/** All rungs, up and down. */
export async function watchLevels(player: Player, film: Film, { levels }: Choices): Promise<void> {
  if (levels.length < 2) return
  const upAndDown = [...levels.keys(), ...[...levels.keys()].reverse()]
  await player.seek(0)
  for (const level of upAndDown) {
    await player.switchLevel(level, 'currentLevel')
    await expectFrame(player, film, 0)
  }
}

export async function hearSounds(player: Player, { sounds }: Choices): Promise<void> {
  for (const number of [...sounds.keys(), 0]) {
    if (sounds.length === 0) return
    await player.seek(0)
    await player.switchSound(number)
    const before = (await player.state()).decodedSoundBytes
    await player.play(0.3)
    expect((await player.state()).decodedSoundBytes).toBeGreaterThan(before)
  }
}

export interface Line {
  from: number
  to: number
  text: string
}

/** That the cues of a player are these lines and no others, to the millisecond. */
export async function expectSubtitles(player: Player, number: number, lines: Line[]): Promise<void> {
  const cues = await player.showSubtitles(number, lines.length)
  expect(cues.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
  for (const [i, { from, to }] of lines.entries()) {
    expect(Math.abs(cues[i]!.startTime - from), `start of cue ${i}`).toBeLessThan(0.001)
    expect(Math.abs(cues[i]!.endTime - to), `end of cue ${i}`).toBeLessThan(0.001)
  }
}

/** That every frame on the screen was one of the source's, at its time, and that nothing went wrong. */
export async function expectNoTrouble(player: Player, film: Film): Promise<void> {
  const { shown, errors } = await player.state()
  expect(errors.filter(({ fatal, details }) => fatal || !SLOWNESS.test(details))).toEqual([])
  expect(shown.length).toBeGreaterThan(0)
  const times = new Set(film.times.map((time) => Math.round(time * 1000)))
  const isKnown = (time: number) => [0, -1, 1].some((off) => times.has(Math.round(time * 1000) + off))
  expect(shown.map(({ mediaTime }) => mediaTime).filter((time) => !isKnown(time))).toEqual([])
  await expectPlaylistsKept(player)
}

/**
 * That the player has found its fragments where the playlist said they would be. One that finds them
 * elsewhere moves all that follow, and then loads the wrong ones for a place.
 */
async function expectPlaylistsKept(player: Player): Promise<void> {
  for (const { url, fragments } of await player.maps()) {
    const playlist = await (await fetch(url)).text()
    let start = 0
    const lengths = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, length]) => Number(length))
    for (const [i, length] of lengths.entries()) {
      const about = `fragment ${i} of ${url} is at ${fragments[i]!.start}`
      expect(Math.abs(fragments[i]!.start - start), about).toBeLessThan(0.025)
      start += length
      // Where the last picture is not the last to be decoded, the player takes another one's length for its own.
      const isLast = i === lengths.length - 1
      expect(Math.abs(fragments[i]!.end - start), about).toBeLessThan(isLast ? 0.1 : 0.025)
    }
  }
}
