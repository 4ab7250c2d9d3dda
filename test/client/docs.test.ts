import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'
import { smallJpeg } from '../support/posts.ts'
import { root } from '../support/service.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

test('what docs/client.md shows runs as it stands', async () => {
  const { url, api, seed } = await composeForTest()
  const { id } = await videoUploaderOf(api).upload(await clip(1))
  const { runScript, addFile } = await installPacked('client')
  await addFile('film.mp4', await clip(1))
  await addFile('poster.jpg', await smallJpeg())
  const page = readFileSync(path.join(root, 'docs/client.md'), 'utf8')
  const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!)
  expect(examples).toHaveLength(3)
  const code = examples
    .join('')
    .replace('https://media.example.com', url)
    .replace('mq_pk_…', seed.api_key)
    .replace('vid_…', id)
    // Outside of pages it takes bytes.
    .replace('tus.Upload(file,', 'tus.Upload(bytes,')
  const script = `
    import { readFile } from 'node:fs/promises'
    import * as tus from '${import.meta.resolve('tus-js-client')}'
    import { createClient, follow, paginate, uploads } from '@marquee/client'
    const file = new File([await readFile('film.mp4')], 'film.mp4')
    const bytes = await readFile('film.mp4')
    const poster = new File([await readFile('poster.jpg')], 'poster.jpg')
    ${code}
    console.log(video.id, made.kind, made.video.file.name, resumed.file.name, resumed.duration)`
  expect(await runScript(script)).toBe(`${id} video film.mp4 film.mp4 1\n`)
})
