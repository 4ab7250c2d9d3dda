import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { installationForTest } from '../support/scale/installation.ts'

test('a stopping process says so first, answers what comes, and lets go of each connection', async () => {
  const installation = await installationForTest({ apis: 1, workers: 0, env: { MARQUEE_STOP_NOTICE: '5' } })
  const [service] = installation.apis
  const get = (path: string) => fetch(service!.url + path, { headers: key(installation.quickstart.api_key) })
  expect((await get('/project')).headers.get('connection')).toBe('keep-alive')
  const stopped = service!.stop('SIGTERM')
  await expect.poll(async () => (await get('/readyz')).status).toBe(503)
  const last = await get('/project')
  expect(last.status).toBe(200)
  expect(last.headers.get('connection')).toBe('close')
  expect(await stopped).toBe(0)
})
