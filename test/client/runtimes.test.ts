import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'
import { smallJpeg } from '../support/posts.ts'
import { runtimes } from '../support/runtimes.ts'
import { clip } from '../support/video.ts'

/** An app that does what an app does: an error, uploads of a blob and of a file, a list, progress. */
const SCRIPT = `
import { readFile } from 'node:fs/promises'
import { attempt, createClient, follow, paginate, uploads } from '@marquee/client'
import { uploads as fromPaths } from '@marquee/client/node'

const client = createClient({ url: process.env.URL, apiKey: process.env.KEY })
const { error } = await attempt(client.get('/videos/{videoId}', { path: { videoId: 'nothing' } }))
console.log(error.status, error.error)

let sent = 0
const photo = new Blob([await readFile('photo.jpg')])
const start = uploads(client)
const upload = start(photo, { kind: 'image', name: 'photo.jpg', onProgress: (progress) => { sent = progress.sent } })
const { kind, image } = await upload.done
console.log(kind, image.file.name, sent === photo.size)

const { video } = await fromPaths(client)('film.mp4').done
let last
for await (const progress of follow(client, video.id)) last = progress
console.log(last.status, last.percent)

const names = []
for await (const { file } of paginate(client, '/videos')) names.push(file.name)
console.log(names.join())
`

const commands = Object.entries(runtimes())

// A file without a test is a failure.
if (commands.length === 0)
  test('the client calls, uploads and follows in an older Node', ({ skip }) => skip())

for (const [name, command] of commands)
  test(`the client calls, uploads and follows in ${name}`, async () => {
    const { url, seed } = await composeForTest()
    const { runScript, addFile } = await installPacked('client')
    await addFile('photo.jpg', await smallJpeg())
    await addFile('film.mp4', await clip(1))
    const output = await runScript(SCRIPT, { URL: url, KEY: seed.api_key }, command)
    expect(output.trim().split('\n')).toEqual([
      '400 Invalid video ID',
      'image photo.jpg true',
      'complete 100',
      'film.mp4',
    ])
  })
