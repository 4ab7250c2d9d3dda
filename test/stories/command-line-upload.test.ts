import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { marquee, marqueeOnTerminal, marqueeProgram } from '../support/marquee.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip } from '../support/video.ts'

/** A folder with files to upload, which is no data folder of any service. */
async function folderWith(files: Record<string, Buffer | string>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-upload-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
  return { folder, at: (name: string) => path.join(folder, name) }
}

const toService = ({ url, seed }: InProcess) => ['--url', url, '--key', seed.api_key]

test('from another machine: a video with poster and subtitles, as a post of a feed', async () => {
  const service = await composeForTest()
  const client = createClient({ url: service.url, apiKey: service.seed.api_key })
  const { id: feedId } = await client.post('/feeds', { body: { name: 'news' } })
  const { folder, at } = await folderWith({
    film: await clip(2),
    'poster.jpg': await smallJpeg(),
    'german.srt': '1\n00:00:00,000 --> 00:00:01,000\nHallo\n',
  })
  const { code, json, err } = await marqueeProgram(
    folder,
    ...['upload', at('film'), '--feed', feedId, '--poster', at('poster.jpg')],
    ...['--subtitles', `de=${at('german.srt')}`, '--json', ...toService(service)],
  )
  expect(code, err).toBe(0)
  const [row] = json()
  expect(row).toMatchObject({ file: at('film'), kind: 'post', id: expect.stringMatching(/^post_/) })
  expect(err).toMatch(/^film: 100% of 0\.\d MB sent$/m)
  const { data } = await client.get('/feeds/{feedId}', { path: { feedId } })
  expect(data).toMatchObject([{ id: row.id, type: 'video', video: { poster: { width: 64, height: 40 } } }])
  const subtitles = await client.get('/videos/{videoId}/subtitles', {
    path: { videoId: data[0]!.video_id! },
  })
  expect(subtitles.data).toMatchObject([{ language_code: 'de' }])
  expect((await fetch(row.url.replace('localhost', '127.0.0.1'))).status).toBe(200)
})

test('a poster for an image is refused before anything is sent', async () => {
  const service = await composeForTest()
  const { folder, at } = await folderWith({ 'one.jpg': await smallJpeg(), 'poster.jpg': await smallJpeg() })
  const { code, err } = await marquee(
    folder,
    ...['upload', at('one.jpg'), '--poster', at('poster.jpg'), ...toService(service)],
  )
  expect(code).toBe(1)
  expect(err).toContain(`a poster belongs to a video, and ${at('one.jpg')} is an image.`)
  expect((await service.api.get('/images')).body.data).toEqual([])
})

test('beside the service no key is needed; several files, of which one cannot be decoded', async () => {
  const service = await composeForTest()
  const quickstart = { ...service.seed, base_url: service.url }
  const { folder, at } = await folderWith({
    'quickstart.json': JSON.stringify(quickstart),
    'one.jpg': await smallJpeg(),
    'two.png': await smallJpeg(),
    'broken.jpg': Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]),
  })
  const { code, out, err } = await marquee(folder, 'upload', at('one.jpg'), at('broken.jpg'), at('two.png'))
  expect(code).toBe(1)
  expect(out.match(/ image {2}img_\w{26} {2}http\S+\/cdn\/\S+/g)).toHaveLength(2)
  expect(err).toMatch(/^marquee: .*broken\.jpg: .+$/m)
  expect((await service.api.get('/images')).body.pagination.total).toBe(2)
})

test('mistakes are told before anything is sent', async () => {
  const service = await composeForTest()
  const { folder, at } = await folderWith({ 'notes.mp4': 'no film', 'one.jpg': await smallJpeg() })
  const upload = (...args: string[]) => marquee(folder, 'upload', ...args, ...toService(service))
  const mistakes: [string[], RegExp][] = [
    [[], /no file was named/],
    [[at('one.jpg'), at('missing.mp4')], /missing\.mp4: there is no such file/],
    [[at('one.jpg'), at('notes.mp4')], /notes\.mp4 is neither a video nor an image/],
    [[at('one.jpg'), '--subtitles', 'german.srt'], /--subtitles "german\.srt" is not like de=german\.srt/],
    [[at('one.jpg'), at('one.jpg'), '--poster', at('one.jpg')], /belong to one video/],
  ]
  for (const [args, words] of mistakes) {
    const { code, out, err } = await upload(...args)
    expect([code, out], String(words)).toEqual([1, ''])
    expect(err).toMatch(words)
    expect(err.trim().split('\n')).toHaveLength(1)
  }
  const keyless = await marquee(folder, 'upload', at('one.jpg'), '--url', service.url)
  expect([keyless.code, keyless.err]).toEqual([
    1,
    'marquee: no key: give one with --key, or set MARQUEE_API_KEY.\n',
  ])
  const refused = await marquee(folder, 'upload', at('one.jpg'), '--url', service.url, '--key', 'mq_sk_x')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('one.jpg: Unauthorized')])
  expect((await service.api.get('/images')).body.pagination.total).toBe(0)
  const help = await marquee(folder, 'upload', '--help')
  expect(help.out).toContain('npm run marquee -- upload FILE… [options]')
})

test('on a terminal each file has a bar, in one line however narrow it is', async () => {
  const service = await composeForTest()
  const name = `${'a long name '.repeat(6)}.jpg`
  const { folder, at } = await folderWith({ 'one.jpg': await smallJpeg(), [name]: await smallJpeg() })
  const args = ['upload', at('one.jpg'), at(name), ...toService(service)]
  const { code, out } = await marqueeOnTerminal(folder, 60, ...args)
  expect(code, out).toBe(0)
  const lines = out.split('\r\n').map((line) => line.split('\x1b[2K').at(-1)!)
  const bars = lines.filter((line) => /[█░]/.test(line))
  expect(bars.some((line) => /^one\.jpg +█{10,}/.test(line))).toBe(true)
  expect(bars.some((line) => /^a long name .*█{10,}/.test(line))).toBe(true)
  for (const line of bars) expect(line.length).toBeLessThan(60)
  expect(out.match(/img_\w{26}/g)).toHaveLength(2)
})
