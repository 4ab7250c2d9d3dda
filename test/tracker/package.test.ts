import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { root } from '../support/service.ts'

const run = promisify(execFile)
const packageFolder = path.join(root, 'packages/tracker')

const PLAIN = `
import { createTracker } from '@marquee/tracker'
const tracker = createTracker({ url: process.env.MARQUEE_BASE_URL, key: process.env.KEY, viewerId: 'ada' })
tracker.engagement({ engagement_type: 'like', resource_id: 'post_1' })
await tracker.close()
`

const STRICT = `
import { createTracker, type AttachOptions, type PlayState, type Tracker } from '@marquee/tracker'
const tracker: Tracker = createTracker({ key: 'mq_pk_a' })
const state = (): PlayState => ({ quality: 1080, subtitle: 'pt' })
const options: AttachOptions = { contentId: 'vid_1', page: 'feed', state }
export const detach: () => void = tracker.attach(document.createElement('video'), options)
tracker.interaction({ interaction_type: 'click', click_x: 1 })
// @ts-expect-error: there is no such field.
tracker.engagement({ engagement: 'like' })
// @ts-expect-error: a key is needed.
createTracker({})
`

test('packed and installed in a fresh project, it works in JavaScript and in strict TypeScript', async () => {
  const { url, seed, api } = await composeForTest()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-pack-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const npm = (...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder })
  const packed = await npm('pack', packageFolder, '--json', '--ignore-scripts')
  const [{ filename, files }] = JSON.parse(packed.stdout)
  const names = files.map((file: { path: string }) => file.path)
  expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']))
  expect(names.filter((name: string) => /src|\.built/.test(name))).toEqual([])

  await writeFile(path.join(folder, 'package.json'), '{"type": "module", "private": true}')
  await npm('install', `./${filename}`)
  await writeFile(path.join(folder, 'plain.js'), PLAIN)
  const env = { PATH: process.env.PATH, MARQUEE_BASE_URL: url, KEY: seed.publishable_key }
  await run(process.execPath, ['plain.js'], { cwd: folder, env })
  const { body } = await api.get('/analytics/v1/realtime')
  expect(body.top_events).toEqual(expect.arrayContaining([{ event_type: 'engagement', count: 1 }]))

  await writeFile(path.join(folder, 'strict.ts'), STRICT)
  const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--noEmit', 'strict.ts']
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom']
  await run(process.execPath, [...tsc, ...options], { cwd: folder }).catch((error) => {
    throw new Error(error.stdout)
  })
})
