import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'
import { root } from '../support/service.ts'

const STRICT = `
import { attempt, createClient, type MarqueeError, paginate, type Schemas } from '@marquee/client'
import { fileAt, type StartFileUpload, uploads } from '@marquee/client/node'
import { signAddress, type Size, srcset } from '@marquee/client/pictures'
import type {
  Answer, Call, CallArguments, CallOptions, Client, ClientOptions, Failure, Given, Item, ListPath, Method, Operations, Outcome,
  Path, Request, Retries, StartUpload, Tokens, Upload, Uploaded, UploadOptions, UploadProgress, UploadSource,
} from '@marquee/client'
const client = createClient({ url: 'http://localhost', apiKey: 'a' })
export const video: Promise<Schemas['Video']> = client.get('/videos/{videoId}', { path: { videoId: 'a' } })
export const error: MarqueeError | undefined = (await attempt(video)).error
for await (const { name } of paginate(client, '/feeds')) name.toUpperCase()
export const { done } = uploads(client)('film.mp4', { quality: 'pro' })
// @ts-expect-error: a feed has a name.
client.post('/feeds', { body: {} })

// Apps that wrap it name what it is made of.
const options: ClientOptions = { tokens: { access_token: 'a' } satisfies Tokens, onTokens: ({ refresh_token }) => refresh_token }
const get: Call<'get'> = client.get
export function wrapped<M extends Method, P extends Path<M>>(method: M, path: P, ...given: CallArguments<M, P>): Promise<Answer<M, P>> {
  return (client[method] as Call<M>)(path, ...given)
}
export const feed: Promise<Schemas['Feed']> = wrapped('get', '/feeds/{feedId}/info', { path: { feedId: 'a' } })
const given: Given<'post', '/feeds'> & CallOptions = { body: { name: 'a' }, idempotencyKey: 'b', timeout: 1 }
export const posted: Operations['post']['/feeds']['answer'] = await client.post('/feeds', given)
const outcome: Outcome<Schemas['Video']> = await attempt(video)
if (outcome.error) outcome.error.requestId?.toUpperCase()
else outcome.data.id.toUpperCase()
export const failure: Failure = { status: 500, error: 'a' }
export const lists: ListPath[] = ['/feeds', '/feeds/{feedId}']
export const item: Item<'/feeds'>['name'] = 'a'
const request: Request = { query: { limit: 1 } }
client.send('get', '/feeds', request, (response) => response.text()).then((text) => text.trim())
const retries: Retries = ({ status }) => (status === 0 ? Infinity : 3)
const source: UploadSource = new Blob(['a'])
const onProgress = ({ sent, total, speed, secondsLeft }: UploadProgress) => [sent, total ?? 0, speed, secondsLeft ?? 0]
const more: UploadOptions = { feedId: 'a', onProgress, retries, poster: new Blob([]) }
const start: StartUpload = uploads(client)
const started: Upload = start(Promise.resolve(source), more)
started.pause()
export const made: Uploaded = await started.done
if (made.kind === 'post') made.post.id.toUpperCase()
const startFile: StartFileUpload = uploads(createClient(options) satisfies Client)
startFile(await fileAt('film.mp4')).cancel()
const size: Size = { w: 320, preset: 'card' }
export const addresses: string[] = [srcset('a', [1, 2], size), await signAddress('a', 'b')]
get('/project')
// @ts-expect-error: an upload of a post is no video.
if (made.kind === 'post') made.video.id
// @ts-expect-error: there is no such list.
export const list: ListPath = '/project'
// @ts-expect-error: a path has its parameters.
get('/feeds/{feedId}/info')
`

test('packed and installed in a fresh project, it works in JavaScript and in strict TypeScript', async () => {
  const { url, seed } = await composeForTest()
  const { names, example, runScript, checkTypes } = await installPacked('client')
  expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/node.d.ts']))
  const env = { MARQUEE_BASE_URL: url, MARQUEE_API_KEY: seed.api_key }
  expect(await runScript(await example(), env)).toMatch(/^400 Bad Request \S+\nHolidays\n$/)
  await checkTypes(STRICT, ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')])
})
