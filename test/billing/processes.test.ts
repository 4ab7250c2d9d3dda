import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { root } from '../support/service.ts'
import { startTwoServices } from '../support/two-services.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'

test('what one process is told, every process goes by at once; replay ends in the same state', async () => {
  const { one, two, env } = await startTwoServices(PROVIDERS)
  const { org_id, access_token, api_key } = one.quickstart
  const onTwo = two.api.as({ 'x-api-key': api_key })
  const limits = { free: 10 * 2 ** 30, pro: 2 ** 40, custom: 10 * 2 ** 40 }
  const start = Date.now() - 60_000
  const told = Object.entries(limits).flatMap(([plan, storage]) => [{ plan, storage }])
  for (const [i, { plan, storage }] of [...told, ...told].entries()) {
    const body = standardEvent('subscription.updated', { org_id, plan }, start + i * 1000)
    expect((await deliver(one.url, standardSigned(body))).body).toEqual({ status: 'received' })
    const project = await onTwo.get('/project')
    expect(project.body.storage_limit).toBe(storage)
  }
  // The same event to both at once.
  const same = standardSigned(standardEvent('payment.failed', { org_id }, start + 30_000))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => deliver(i % 2 ? one.url : two.url, same)),
  )
  expect(answers.map(({ body }) => body.status).sort()).toEqual([...Array(19).fill('duplicate'), 'received'])

  const shown = () => two.api.as(bearer(access_token)).get(`/billing/v1/subscription?org_id=${org_id}`)
  const before = (await shown()).body
  expect(before).toMatchObject({ plan: 'custom', status: 'past_due' })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, 'server/cli/main.ts'), 'billing', 'replay', '--json'],
    { env: { PATH: process.env.PATH, ...env } },
  )
  expect(JSON.parse(stdout)).toEqual({ events: 7, subscriptions: 1, organizations: 1 })
  expect((await shown()).body).toEqual(before)
})
