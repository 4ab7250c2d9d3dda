import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { bytesBesideSegments, clip, formsOf, videoUploaderOf } from '../support/video.ts'

const UNKNOWN = 'vid_00000000000000000000000000'
const SRT = '1\r\n00:00:00,500 --> 00:00:01,000\r\nHello <script>alert(1)</script>there\r\n'
const VTT = 'WEBVTT\n\n00:00.500 --> 00:01.000\nBonjour\n'

async function world(env: Record<string, string> = {}) {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api', ...env } })
  const video = await videoUploaderOf(service.api).upload(await clip())
  const forms = formsOf(service)
  const base = `/videos/${video.id}/subtitles`
  const rows = () => service.sql`select language_code, label, position, body from subtitles order by position`
  const used = () => bytesBesideSegments(service.sql)
  return { ...service, video, forms, base, rows, used }
}

test('subtitles are added, replaced and deleted, one language at a time', async () => {
  const { api, forms, base, video, rows, used } = await world()
  const before = await used()
  const sent = { name: 'my film.srt', content: SRT }
  const added = await forms.put(`${base}/EN-us`, ['file', sent])
  expect(added.body).toEqual({
    id: expect.stringMatching(/^sub_[0-9a-z]{26}$/),
    video_id: video.id,
    language_code: 'en-US',
    label: expect.stringMatching(/English/),
    name: 'my film.srt',
    size: Buffer.byteLength(SRT),
    url: `${video.file.url}/subtitles/${added.body.id}.vtt`,
    created_at: expect.stringMatching(/Z$/),
  })
  expect(added.status).toBe(200)
  const [stored] = await rows()
  expect(stored!.body).toMatch(/^WEBVTT\n/)
  expect(stored!.body).not.toContain('<script')
  const served = await fetch(local(added.body.url))
  expect(served.headers.get('content-type')).toMatch(/^text\/vtt/)
  expect(await served.text()).toBe(stored!.body)
  expect(await used()).toBe(before + Buffer.byteLength(stored!.body))

  const french = await forms.put(`${base}/fr`, ['label', ' Français, doublé '], ['file', { content: VTT }])
  expect(french.body).toMatchObject({ language_code: 'fr', label: 'Français, doublé' })
  const again = await forms.put(`${base}/en-US`, ['file', { content: VTT }], ['label', 'Again'])
  expect(again.body.id).not.toBe(added.body.id)
  expect((await api.get(base)).body).toEqual({ data: [again.body, french.body] })
  expect((await api.get(`${base}?limit=1&offset=1`)).body).toEqual({ data: [french.body] })
  expect((await api.get(`${base}?limit=0`)).status).toBe(400)
  // Replaced in its place.
  expect((await rows()).map(({ label }) => label)).toEqual(['Again', 'Français, doublé'])

  expect((await api.delete(`${base}/${french.body.id}`)).body).toEqual({
    message: 'Subtitle deleted',
    status: 'success',
  })
  expect((await api.delete(`${base}/${french.body.id}`)).body).toEqual({ code: 404, error: 'Not Found' })
  expect((await api.delete(`${base}/en-us`)).status).toBe(200)
  expect(await rows()).toHaveLength(0)
  expect((await api.get(base)).body).toEqual({ data: [] })
  for (const { body } of [added, french, again]) expect((await fetch(local(body.url))).status).toBe(404)
  expect(await used()).toBe(before)
})

test('a whole set is replaced, and a set that is wrong in any part changes nothing', async () => {
  const { api, forms, base, rows, used } = await world()
  const before = await used()
  const file = (content: string) => ({ content, name: 'x.vtt' })
  const first = await forms.post(
    base,
    ['files', file(VTT)],
    ['files', file(SRT)],
    ['language_codes', 'fr, en'],
    ['labels', 'Français,English'],
  )
  expect(first.status).toBe(200)
  expect(first.body.map(({ language_code, label }: never) => [language_code, label])).toEqual([
    ['fr', 'Français'],
    ['en', 'English'],
  ])
  const wrong: [string, string, ...string[]][] = [
    ['fr,en,de', 'a,b', VTT, SRT],
    ['fr', 'a,b', VTT, SRT],
    ['fr,en', 'a', VTT, SRT],
    ['fr,FR', 'a,b', VTT, SRT],
    ['fr,xx-INVALID!', 'a,b', VTT, SRT],
    ['fr,en', 'a,b', VTT, '\u0000\u0001\u0002 no subtitles'],
    ['fr,en', `a,b${'x'.repeat(300)}`, VTT, SRT],
    ['fr,en', 'a,b\u0007', VTT, SRT],
  ]
  for (const [codes, labels, ...contents] of wrong) {
    const refused = await forms.post(
      base,
      ...contents.map((content): [string, { content: string }] => ['files', file(content)]),
      ['language_codes', codes],
      ['labels', labels],
    )
    expect(refused.body, codes).toEqual({ code: 400, error: 'Bad Request', details: expect.any(String) })
    expect((await rows()).map((row) => row.language_code)).toEqual(['fr', 'en'])
  }
  const missing = await forms.post(base, ['files', file(VTT)], ['language_codes', 'fr'])
  expect(missing.body.details).toBe('labels: is required')
  const none = await forms.post(base, ['language_codes', 'fr'], ['labels', 'x'])
  expect(none.body.details).toMatch(/^files: /)

  // Lists as some clients send them; a label with a comma in it.
  const second = await forms.post(
    base,
    ['files[]', file(VTT)],
    ['files[]', file(SRT)],
    ['language_codes[]', 'pt-br'],
    ['language_codes[]', 'ja'],
    ['labels[]', 'Português, do Brasil'],
    ['labels[]', ''],
  )
  expect(second.body.map(({ language_code, label }: never) => [language_code, label])).toEqual([
    ['pt-BR', 'Português, do Brasil'],
    ['ja', 'Japanese'],
  ])
  expect(await rows()).toHaveLength(2)
  expect((await api.delete(base)).body).toEqual({ message: 'All subtitles deleted', status: 'success' })
  expect((await api.delete(base)).status).toBe(200)
  expect(await used()).toBe(before)
})

test('whoever looks while sets are replaced sees one of them, whole', async () => {
  const { forms, base, sql, used, rows } = await world()
  const before = await used()
  const set = (codes: string[]) =>
    forms.post(
      base,
      ...codes.map((): [string, { content: string }] => ['files', { content: VTT }]),
      ['language_codes', codes.join(',')],
      ['labels', codes.join(',')],
    )
  const sets = [
    ['de', 'en'],
    ['fr', 'it', 'es'],
  ]
  await set(sets[0]!)
  let isOver = false
  const changes = Promise.all([0, 1, 2, 3].map((i) => set(sets[i % 2]!))).finally(() => {
    isOver = true
  })
  const seen = new Set<string>()
  while (!isOver) {
    const languages = await sql`select language_code from subtitles order by position`
    seen.add(languages.map((row) => row.language_code).join())
  }
  expect((await changes).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const one of seen) expect(sets.map(String)).toContain(one)
  const bytes = (await rows()).reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
  expect(await used()).toBe(before + bytes)
})

test('what is refused', async () => {
  const { api, forms, base } = await world()
  const says = ({ body }: { body: { code: number; error: string } }) => `${body.code} ${body.error}`
  const file: [string, { content: string }] = ['file', { content: VTT }]
  expect((await forms.put(`${base}/xx-INVALID!`, file)).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'lang_code: "xx-INVALID!" is not a language code (BCP 47)',
  })
  expect(says(await forms.put(`${base}/en`, ['label', 'x']))).toBe('400 Bad Request')
  expect(says(await forms.put(`${base}/en`, ['other', { content: VTT }]))).toBe('400 Bad Request')
  expect(says(await forms.put(`/videos/${UNKNOWN}/subtitles/en`, file))).toBe('404 Not Found')
  expect(says(await forms.put('/videos/nonsense/subtitles/en', file))).toBe('400 Bad Request')
  expect(says(await api.put(`${base}/en`, { file: VTT }))).toBe('415 Unsupported Media Type')
  expect(says(await api.put(`${base}/en`))).toBe('415 Unsupported Media Type')
  expect(says(await api.delete(`${base}/sub_00000000000000000000000000`))).toBe('404 Not Found')
  expect(says(await api.delete(`${base}/nonsense!`))).toBe('404 Not Found')
  expect(says(await api.delete(`/videos/${UNKNOWN}/subtitles`))).toBe('404 Not Found')
  expect(says(await api.delete(`/videos/${UNKNOWN}/subtitles/en`))).toBe('404 Not Found')
})

test('a name has one of the two endings, in whatever case', async () => {
  const { forms, base, rows } = await world()
  const says = (field: string) => ({
    code: 400,
    error: 'Bad Request',
    details: `${field}: its name must end in one of .srt, .vtt`,
  })
  for (const name of ['film.txt', 'film', 'srt', 'film.vtt.exe', '.vtt ']) {
    const file = { content: VTT, name }
    expect((await forms.put(`${base}/en`, ['file', file])).body, name).toEqual(says('file'))
    const both = await forms.post(
      base,
      ['files', { content: VTT, name: 'a.vtt' }],
      ['files', file],
      ['language_codes', 'fr,en'],
      ['labels', 'x,y'],
    )
    expect(both.body, name).toEqual(says('files[1]'))
  }
  expect(await rows()).toHaveLength(0)
  for (const name of ['film.SRT', 'film.en.Vtt'])
    expect((await forms.put(`${base}/en`, ['file', { content: SRT, name }])).body.name).toBe(name)
})

test('a project over its storage takes no more', async () => {
  const { forms, base } = await world({ MARQUEE_STORAGE_CUSTOM: '1KiB' })
  const refused = await forms.put(`${base}/en`, ['file', { content: VTT }])
  expect(refused.body).toEqual({ code: 403, error: 'Storage limit reached' })
})

test('two of the same label have names of their own in the playlist', async () => {
  const { video, forms, base } = await world()
  const file = (content: string) => ({ content, name: 'x.vtt' })
  const files: [string, { content: string }][] = [
    ['files', file(VTT)],
    ['files', file(SRT)],
  ]
  const set = await forms.post(base, ...files, ['language_codes', 'fr,en'], ['labels', 'Same,Same'])
  expect(set.body.map(({ label }: { label: string }) => label)).toEqual(['Same', 'Same'])
  const playlist = await (await fetch(local(video.file.url))).text()
  expect(
    playlist.match(/TYPE=SUBTITLES.*?NAME="[^"]*"/g)?.map((line) => /NAME="(.*)"/.exec(line)![1]),
  ).toEqual(['Same', 'Same (2)'])
})
