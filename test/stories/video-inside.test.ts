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
