import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { root } from '../support/service.ts'

const run = promisify(execFile)
const packageFolder = path.join(root, 'packages/client')

const STRICT = `
import { attempt, createClient, type MarqueeError, paginate, type Schemas } from '@marquee/client'
import { uploads } from '@marquee/client/node'
const client = createClient({ url: 'http://localhost', apiKey: 'a' })
export const video: Promise<Schemas['Video']> = client.get('/videos/{videoId}', { path: { videoId: 'a' } })
export const error: MarqueeError | undefined = (await attempt(video)).error
for await (const { name } of paginate(client, '/feeds')) name.toUpperCase()
export const { done } = uploads(client)('film.mp4', { quality: 'pro' })
// @ts-expect-error: a feed has a name.
client.post('/feeds', { body: {} })
`

test('packed and installed in a fresh project, it works in JavaScript and in strict TypeScript', async () => {
  const { url, seed } = await composeForTest()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-pack-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const npm = (...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder })
  const packed = await npm('pack', packageFolder, '--json', '--ignore-scripts')
  const [{ filename, files }] = JSON.parse(packed.stdout)
  const names = files.map((file: { path: string }) => file.path)
  expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/node.d.ts']))
  expect(names.filter((name: string) => /src|\.built/.test(name))).toEqual([])

  await writeFile(path.join(folder, 'package.json'), '{"type": "module", "private": true}')
  await npm('install', `./${filename}`)
  const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8')
  await writeFile(path.join(folder, 'example.js'), /```js\n(.*?)```/s.exec(readme)![1]!)
  const env = { PATH: process.env.PATH, MARQUEE_BASE_URL: url, MARQUEE_API_KEY: seed.api_key }
  const example = await run(process.execPath, ['example.js'], { cwd: folder, env })
  expect(example.stdout).toMatch(/^400 Bad Request \S+\nHolidays\n$/)

  await writeFile(path.join(folder, 'strict.ts'), STRICT)
  const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--noEmit', 'strict.ts']
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', '--types', 'node']
  const types = ['--typeRoots', path.join(root, 'node_modules/@types')]
  await run(process.execPath, [...tsc, ...options, ...types], { cwd: folder }).catch((error) => {
    throw new Error(error.stdout)
  })
})
