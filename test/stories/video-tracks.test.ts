import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { bytesBesideSegments, clip, formsOf, made, videoUploaderOf } from '../support/video.ts'
import { ffmpeg, ffprobe } from '../support/videos/programs.ts'

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=1:sample_rate=48000']
const FORMATS: Record<string, string[]> = {
  mp3: ['-c:a', 'libmp3lame', '-write_id3v1', '1'],
  opus: ['-c:a', 'libopus'],
  flac: [],
  wav: [],
  ac3: [],
  m4a: ['-c:a', 'aac'],
  aac: ['-c:a', 'aac'],
}
const tone = (ending: string) => made([...TONE, ...FORMATS[ending]!], ending)

/** A place, in each tag that the format has, and in the title of a chapter. */
const CHAPTERS =
  ';FFMETADATA1\ntitle=48.2082N\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=48.2082N\n'
const TAGS = [
  ...[
    '-f',
    'ffmetadata',
    '-i',
    `data:text/plain;base64,${btoa(CHAPTERS)}`,
    '-map',
    '0:a',
    '-map_metadata',
    '1',
  ],
  ...['-metadata', 'comment=48.2082N', '-metadata', 'artist=48.2082N'],
  ...['-metadata:s:a:0', 'title=48.2082N', '-metadata:s:a:0', 'handler_name=48.2082N'],
]
const tagged = (ending: string) => made([...TONE, ...TAGS, ...FORMATS[ending]!], ending)
/** Every sample of a sound, as a checksum, its chapters, and what ffmpeg complains of. */
async function heardIn(content: Buffer) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-heard-'))
  try {
    const file = path.join(folder, 'sound')
    await writeFile(file, content)
    const { stdout, stderr } = await ffmpeg(['-v', 'error', '-i', file, '-map', '0:a', '-f', 'md5', '-'])
    const { chapters } = JSON.parse(await ffprobe(['-show_chapters', '-of', 'json', file]))
    return { sound: stdout.toString(), chapters: chapters.length, complaints: stderr }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Tags that ffmpeg does not write: ID3 before an AAC, and APE behind an MP3. */
const ID3_OF_A_PLACE = Buffer.from(
  'ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0012TIT2\u0000\u0000\u0000\u0008\u0000\u000048.2082N',
)
const apeOfAPlace = () => {
  const ape = Buffer.alloc(50)
  ape.write('48.2082N', 0, 'latin1')
  ape.write('APETAGEX', 18, 'latin1')
  ape.writeUInt32LE(50, 30)
  return ape
}

async function world(env: Record<string, string> = {}) {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api', ...env } })
  const video = await videoUploaderOf(service.api).upload(await clip())
  const forms = formsOf(service)
  const base = `/videos/${video.id}/audio-tracks`
  const rows = () => service.sql`select id, language_code, label from audio_tracks order by position`
  const stored = async () => (await service.media.names()).filter((name) => name.includes('/tracks/'))
  const used = () => bytesBesideSegments(service.sql)
  return { ...service, video, forms, base, rows, used, stored }
}

test('tracks of all seven formats, whatever ending of the seven they have', async () => {
  const { api, forms, base, video, used, stored } = await world()
  const before = await used()
  const languages = ['en', 'fr', 'de', 'it', 'es', 'pt-BR', 'ja']
  const contents = await Promise.all(Object.keys(FORMATS).map(tagged))
  contents[0] = Buffer.concat([contents[0]!, apeOfAPlace()])
  contents[6] = Buffer.concat([ID3_OF_A_PLACE, contents[6]!])
  for (const [i, format] of Object.keys(FORMATS).entries())
    if (format !== 'ac3') expect(contents[i]!.includes('48.2082N'), format).toBe(true)
  const { status, body } = await forms.post(
    base,
    ...contents.map((content): [string, { content: Buffer; name: string }] => [
      'files',
      { content, name: 'sound.M4A' },
    ]),
    ['language_codes', languages.join(',')],
    ['labels', languages.join(',')],
  )
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toEqual(
    Object.keys(FORMATS).map((format, i) => ({
      id: expect.stringMatching(/^trk_[0-9a-z]{26}$/),
      video_id: video.id,
      language_code: languages[i],
      label: languages[i],
      name: 'sound.M4A',
      format,
      // Tags at the end are cut off, all others are blanked in their place.
      size: contents[i]!.length - (format === 'mp3' ? 128 + 50 : 0),
      url: `${video.file.url}/tracks/${body[i].id}.${format}`,
      created_at: expect.stringMatching(/Z$/),
    })),
  )
  expect(await stored()).toHaveLength(7)
  for (const [i, { url }] of body.entries()) {
    const served = Buffer.from(await (await fetch(local(url))).arrayBuffer())
    expect(served.length).toBe(body[i].size)
    expect(served.includes('48.2082N'), url).toBe(false)
    const [before, after] = [await heardIn(contents[i]!), await heardIn(served)]
    expect(after.sound, url).toEqual(before.sound)
    expect([after.chapters, after.complaints], url).toEqual([0, ''])
  }
  expect(await used()).toBe(before + body.reduce((sum: number, { size }: { size: number }) => sum + size, 0))
  expect((await api.delete(base)).body).toEqual({ message: 'All audio tracks deleted', status: 'success' })
  expect(await stored()).toEqual([])
  for (const { url } of body) expect((await fetch(local(url))).status).toBe(404)
  expect(await used()).toBe(before)
})

test('a track is added, replaced in its place, and deleted by id or language', async () => {
  const { api, sql, forms, base, rows, used, stored } = await world()
  const before = await used()
  const [mp3, wav] = [await tone('mp3'), await tone('wav')]
  const english = await forms.put(`${base}/EN`, ['file', { content: mp3, name: 'a.mp3' }])
  expect(english.body).toMatchObject({ language_code: 'en', label: 'English', format: 'mp3' })
  const french = await forms.put(`${base}/fr`, ['file', { content: wav }], ['label', 'Doublage'])
  const again = await forms.put(`${base}/en`, ['file', { content: wav }], ['label', 'Again'])
  expect((await rows()).map(({ id, label }) => [id, label])).toEqual([
    [again.body.id, 'Again'],
    [french.body.id, 'Doublage'],
  ])
  expect(await stored()).toHaveLength(2)
  expect((await api.get(base)).body).toEqual({ data: [again.body, french.body] })
  expect((await api.get(`${base}?offset=1`)).body).toEqual({ data: [french.body] })
  expect(await used()).toBe(before + 2 * wav.length)
  expect((await api.delete(`${base}/${french.body.id}`)).body).toEqual({
    message: 'Audio track deleted',
    status: 'success',
  })
  expect((await api.delete(`${base}/${french.body.id}`)).body).toEqual({ code: 404, error: 'Not Found' })
  expect((await api.delete(`${base}/EN`)).status).toBe(200)
  expect(await stored()).toEqual([])
  expect(await used()).toBe(before)
  expect(await sql`select from orphaned_objects`).toHaveLength(0)
})

const HEADS: Record<string, Buffer> = {
  'an empty file': Buffer.alloc(0),
  text: Buffer.from('#EXTM3U\nfile:///etc/passwd\n'),
  'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'an MP3 of a header alone': Buffer.concat([Buffer.from('ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0000')]),
  'an MP3 of zeros': Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(5000)]),
  'a FLAC of a header alone': Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(100)]),
  'a WAV of noise': Buffer.concat([Buffer.from('RIFF\u0010\u0000\u0000\u0000WAVE'), Buffer.alloc(100, 7)]),
  'an AC-3 of noise': Buffer.concat([Buffer.from([0x0b, 0x77]), Buffer.alloc(3000, 7)]),
  'an Ogg of zeros': Buffer.concat([
    Buffer.from('OggS'),
    Buffer.alloc(20),
    Buffer.from('OpusHead'),
    Buffer.alloc(90),
  ]),
  'an MP4 of a header alone': Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypM4A '),
    Buffer.alloc(12),
  ]),
}

test('what is no audio that is taken is refused with a reason, and nothing is kept', async () => {
  const { forms, base, rows, used, stored, sql } = await world()
  const before = await used()
  const vorbis = await made([...TONE, '-c:a', 'libvorbis'], 'ogg')
  const files = { ...HEADS, 'Ogg Vorbis': vorbis, 'a video': await clip(1) }
  for (const [name, content] of Object.entries(files)) {
    const refused = await forms.put(`${base}/en`, ['file', { content }])
    expect(refused.body, name).toEqual({
      code: 400,
      error: 'Bad Request',
      details: expect.stringMatching(/^file: it /),
    })
    expect(refused.body.details).not.toMatch(/\/|ffmpeg|ffprobe|Error/)
  }
  // One of many is wrong: none is taken.
  const good = await tone('flac')
  const refused = await forms.post(
    base,
    ['files', { content: good }],
    ['files', { content: vorbis }],
    ['language_codes', 'en,fr'],
    ['labels', 'x,y'],
  )
  expect(refused.body.details).toMatch(/^files\[1\]: /)
  expect(await rows()).toHaveLength(0)
  expect(await stored()).toEqual([])
  expect(await sql`select from orphaned_objects`).toHaveLength(0)
  expect(await used()).toBe(before)
  expect((await forms.put(`${base}/en`, ['file', { content: good }])).status).toBe(200)
})

test('a name has one of the seven endings, in whatever case', async () => {
  const { forms, base, rows, stored } = await world()
  const content = await tone('wav')
  const says = (field: string) => ({
    code: 400,
    error: 'Bad Request',
    details: `${field}: its name must end in one of .mp3, .opus, .flac, .wav, .ac3, .m4a, .aac`,
  })
  for (const name of ['sound.bin', 'sound', 'wav', 'sound.wav.exe', 'sound.ogg']) {
    const file = { content, name }
    expect((await forms.put(`${base}/en`, ['file', file])).body, name).toEqual(says('file'))
    const lists: [string, string][] = [
      ['language_codes', 'en'],
      ['labels', 'x'],
    ]
    expect((await forms.post(base, ['files', file], ...lists)).body, name).toEqual(says('files[0]'))
  }
  expect(await rows()).toHaveLength(0)
  expect(await stored()).toEqual([])
  for (const name of ['sound.WAV', 'sound.Opus'])
    expect((await forms.put(`${base}/en`, ['file', { content, name }])).body).toMatchObject({
      name,
      format: 'wav',
    })
})

test('files of the world: tags before the sound, covers, many channels', async () => {
  const { forms, base } = await world()
  const id3 = Buffer.concat([
    Buffer.from('ID3\u0004\u0000\u0000\u0000\u0000\u0007\u0068'),
    Buffer.alloc(1000),
  ])
  const cover = [
    ...TONE,
    ...['-f', 'lavfi', '-i', 'color=red:size=32x32:duration=1', '-map', '0', '-map', '1', '-frames:v', '1'],
    ...['-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
  ]
  const files: [Buffer, string][] = [
    [Buffer.concat([id3, await tone('aac')]), 'aac'],
    [Buffer.concat([id3, await tone('flac')]), 'flac'],
    [await made([...cover, '-c:a', 'libmp3lame'], 'mp3'), 'mp3'],
    [await made([...cover, '-c:a', 'aac', '-f', 'ipod'], 'm4a'), 'm4a'],
    [await made([...TONE, '-ac', '6', '-c:a', 'pcm_s24le'], 'wav'), 'wav'],
    [await made([...TONE, '-c:a', 'alac'], 'm4a'), 'm4a'],
  ]
  for (const [content, format] of files) {
    const { status, body } = await forms.put(`${base}/en`, ['file', { content }])
    expect([status, body.format], JSON.stringify(body)).toEqual([200, format])
  }
})

test('a project over its storage takes no more', async () => {
  const { forms, base } = await world({ MARQUEE_STORAGE_CUSTOM: '1KiB' })
  const refused = await forms.put(`${base}/en`, ['file', { content: await tone('mp3') }])
  expect(refused.body).toEqual({ code: 403, error: 'Storage limit reached' })
})

test('what a crash left half-way is swept', async () => {
  const { sql, video, forms, base, stored } = await world({
    MARQUEE_ROLES: 'api,worker',
    MARQUEE_SWEEP_INTERVAL: '1',
  })
  const { body } = await forms.put(`${base}/en`, ['file', { content: await tone('flac') }])
  const prefix = `media/${video.file.project_id}/${video.file.id}/tracks/${body.id}/`
  // As if the process had ended after the transaction that deleted the track.
  await sql`delete from audio_tracks`
  await sql`insert into orphaned_objects (prefix, due_at) values (${prefix}, now())`
  while ((await stored()).length > 0) await sleep(50)
  while ((await sql`select from orphaned_objects`).length > 0) await sleep(50)
})
