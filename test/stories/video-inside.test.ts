import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { made, videoUploaderOf } from '../support/video.ts'

const SRT = (text: string) =>
  `1\n00:00:00,500 --> 00:00:01,500\n${text}\n\n2\n00:00:02,000 --> 00:00:02,500\nMore\n`

/** A film with subtitles in two languages and one twice, with a title. */
async function withSubtitles(ending: 'mkv' | 'mp4'): Promise<Buffer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-inside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = ['Hello <script>alert(1)</script>', 'Bonjour', 'Hello again'].map((text, i) => {
    const file = path.join(folder, `${i}.srt`)
    writeFileSync(file, SRT(text))
    return file
  })
  return made(
    [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=25:d=3', '-f', 'lavfi', '-i', 'sine=d=3'],
      ...files.flatMap((file) => ['-i', file]),
      ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-map', '4'],
      ...['-c:v', 'libx264', '-c:a', 'aac', '-c:s', ending === 'mkv' ? 'ass' : 'mov_text'],
      ...['-metadata', 'title=The harbour', '-metadata:s:a:0', 'language=deu'],
      ...[
        '-metadata:s:s:0',
        'language=eng',
        '-metadata:s:s:1',
        'language=fra',
        '-metadata:s:s:2',
        'language=eng',
      ],
      ...(ending === 'mkv' ? ['-metadata:s:s:1', 'title=Pour tous'] : []),
    ],
    ending,
  )
}

test.for(['mkv', 'mp4'] as const)('what is inside a file is taken over: %s', async (ending) => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const film = await withSubtitles(ending)
  const video = await videoUploaderOf(api).upload(film, { file_name: `film.${ending}` })
  expect(video.description).toBe('The harbour')
  const { data } = (await api.get(`/videos/${video.id}/subtitles`)).body
  expect(data.map(({ language_code, label }) => [language_code, label])).toEqual([
    ['en', 'English'],
    ['fr', ending === 'mkv' ? 'Pour tous' : 'French'],
  ])
  const [english] = await Promise.all(data.map(async ({ url }) => (await fetch(local(url))).text()))
  expect(english).toMatch(/^WEBVTT\n\n00:00:00\.500 --> 00:00:01\.500\nHello/)
  expect(english).not.toContain('<script')
  const master = await (await fetch(local(video.file.url))).text()
  expect(master.match(/TYPE=SUBTITLES/g)).toHaveLength(2)
  expect(master).toMatch(/TYPE=AUDIO.*LANGUAGE="de"/)
  const { notes } = (await api.get(`/videos/${video.id}/progress`)).body
  expect(notes).toEqual([
    expect.stringMatching(/^the subtitles in stream 4 are in a language that others have/),
  ])
})

test('chapters inside a file are those of the video', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-inside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const about = path.join(folder, 'about.txt')
  const chapter = (title: string, start: number, end: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`
  writeFileSync(about, `;FFMETADATA1\n${chapter('Out', 0, 1000)}${chapter('Back again', 1000, 3000)}`)
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=25:d=3', '-i', about, '-map_chapters', '1']
  const video = await videoUploaderOf(api).upload(await made([...source, '-c:v', 'libx264'], 'mp4'))
  expect(video.chapters).toMatchObject([
    { title: 'Out', start_time_sec: 0, end_time_sec: 1 },
    { title: 'Back again', start_time_sec: 1, end_time_sec: 3 },
  ])
  expect((await api.get(`/videos/${video.id}`)).body.chapters).toEqual(video.chapters)
})

test('a frame rate is told as the fraction that it is; of one that varies, the average', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const upload = async (rate: string, more: string[] = []) => {
    const source = ['-f', 'lavfi', '-i', `testsrc2=s=64x36:r=${rate}:d=2`, ...more]
    return videoUploaderOf(api).upload(await made([...source, '-c:v', 'libx264'], 'mp4'))
  }
  expect((await upload('30000/1001')).framerate).toBe('30000/1001')
  // 25 pictures in the first second, 12 of every other in the second one.
  const varying = await upload('25', ['-vf', "select='lt(n,25)+not(mod(n,2))'", '-fps_mode', 'vfr'])
  const [num, den = 1] = varying.framerate.split('/').map(Number)
  expect(num! / den / (37 / varying.duration)).toBeCloseTo(1, 1)
})
