import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'
import { root } from '../support/service.ts'

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
  const { names, example, runScript, checkTypes } = await installPacked('client')
  expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/node.d.ts']))
  const env = { MARQUEE_BASE_URL: url, MARQUEE_API_KEY: seed.api_key }
  expect(await runScript(await example(), env)).toMatch(/^400 Bad Request \S+\nHolidays\n$/)
  await checkTypes(STRICT, ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')])
})
