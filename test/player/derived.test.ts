import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { made, videoUploaderOf } from '../support/video.ts'

/** Green, and red from the second second on, so that the colour tells the time; a small thing moves in front. */
const film = () =>
  made(
    [
      ...['-f', 'lavfi', '-i', 'color=0x00ff00:s=320x180:r=25:d=2'],
      ...['-f', 'lavfi', '-i', 'color=0xff0000:s=320x180:r=25:d=4', '-f', 'lavfi', '-i', 'sine=d=6'],
      ...['-f', 'lavfi', '-i', 'color=white:s=16x16:r=25:d=6', '-filter_complex'],
      ...['[0][1]concat=n=2:v=1:a=0[c];[c][3]overlay=x=mod(n*7\\,200):y=100[v]', '-map', '[v]', '-map', '2'],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ],
    'mp4',
  )

/** Of a picture: by name, where it is one of the two. */
const COLOUR = `function colourOf(picture) {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')
  canvas.drawImage(picture, 0, 0, 1, 1)
  const [red, green] = canvas.getImageData(0, 0, 1, 1).data
  return red > 200 && green < 60 ? 'red' : green > 200 && red < 60 ? 'green' : red + ' ' + green
}`

describe.skipIf(!hasBrowser)('what is made of a video, in a browser', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  const run = <T>(page: Page, code: string) =>
    page.evaluate(`(async () => {${COLOUR} ${code}})()`) as Promise<T>

  test('a download plays and is sought in; previews move, and show what they should', async () => {
    const { api } = await composeForTest()
    const video = await videoUploaderOf(api).upload(await film())
    const url = local(video.file.url)
    await expect.poll(async () => (await fetch(`${url}/download.mp4`, { method: 'HEAD' })).status).toBe(200)
    const page = await stage.show('')
    const played = await run<{ duration: number; width: number; colour: string }>(
      page,
      `const video = document.body.appendChild(document.createElement('video'))
      Object.assign(video, { crossOrigin: 'anonymous', muted: true, src: '${url}/download.mp4' })
      await new Promise((resolve, reject) => {
        video.oncanplay = resolve
        video.onerror = () => reject(new Error(video.error.message))
      })
      const sought = new Promise((resolve) => { video.onseeked = resolve })
      video.currentTime = 4.5
      await sought
      return { duration: video.duration, width: video.videoWidth, colour: colourOf(video) }`,
    )
    expect(played.duration).toBeCloseTo(6, 1)
    expect(played).toMatchObject({ width: 320, colour: 'red' })

    for (const format of ['webp', 'avif']) {
      const shown = await run<object>(
        page,
        `const asked = '${url}/preview.${format}?start=1&end=3&w=160&fps=8'
        const response = await fetch(asked)
        const type = response.headers.get('content-type')
        const decoder = new ImageDecoder({ data: await response.arrayBuffer(), type })
        await decoder.tracks.ready
        const { frameCount, repetitionCount } = decoder.tracks.selectedTrack
        const colours = []
        for (let frameIndex = 0; frameIndex < frameCount; frameIndex++)
          colours.push(colourOf((await decoder.decode({ frameIndex })).image))
        const picture = Object.assign(new Image(), { src: asked })
        await picture.decode()
        const size = [picture.naturalWidth, picture.naturalHeight]
        return { status: response.status, type, size, colours, isEndless: repetitionCount === Infinity }`,
      )
      const colours = [...Array(8).fill('green'), ...Array(8).fill('red')]
      const expected = { status: 200, type: `image/${format}`, size: [160, 90], colours, isEndless: true }
      expect(shown, format).toEqual(expected)
    }

    // However short it is, it has a picture; and the last one stays on to the end.
    for (const format of ['webp', 'avif'])
      for (const [query, colour] of [
        ['start=1&end=1.04', 'green'],
        ['start=1&end=1.4&fps=1', 'green'],
        ['start=5.97', 'red'],
      ]) {
        const shown = await run<object>(
          page,
          `const response = await fetch('${url}/preview.${format}?${query}&w=160')
          const decoder = new ImageDecoder({ data: await response.arrayBuffer(), type: 'image/${format}' })
          await decoder.tracks.ready
          return [decoder.tracks.selectedTrack.frameCount, colourOf((await decoder.decode()).image)]`,
        )
        expect(shown, `${format} ${query}`).toEqual([1, colour])
      }

    const refused = ['start=6.1', 'start=3&end=2', 'end=10.1', 'w=8', 'w=641', 'fps=31', 'fps=0', 'start=-1']
    for (const query of refused) expect((await fetch(`${url}/preview.webp?${query}`)).status, query).toBe(400)
    const first = await fetch(`${url}/preview.webp`)
    const whole = Buffer.from(await first.arrayBuffer())
    const part = await fetch(`${url}/preview.webp`, { headers: { range: 'bytes=100-199' } })
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 200))
    const kept = { headers: { 'if-none-match': first.headers.get('etag')! } }
    expect((await fetch(`${url}/preview.webp`, kept)).status).toBe(304)
  })
})
