import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'

// Nobody fetches what is to be imported: it is under way for as long as the test goes on.
const compose = () => composeForTest({ env: { MARQUEE_ROLES: 'api', MARQUEE_LIMIT_KEY_PER_MINUTE: '0' } })

/** How often each status was answered to so many requests at once. */
async function atOnce(count: number, ask: (number: number) => Promise<{ status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, number) => ask(number)))
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  )
}

test('of a hundred and thirty imports at once a hundred are under way', async () => {
  const { api, sql } = await compose()
  const kinds = ['images', 'videos'] as const
  const begin = (number: number) =>
    api.post(`/${kinds[number % 2]!}/import`, { url: 'https://media.example/a.mp4' })
  expect(await atOnce(130, begin)).toEqual({ 202: 100, 429: 30 })
  expect(await sql`select from imports`).toHaveLength(100)
  // What was refused has left nothing that is awaited.
  expect((await api.get('/uploads')).body.pagination.total).toBe(100)
})

test('what a project has a limited number of is counted one by one', async () => {
  const { api, seed } = await compose()
  const { org_id, project_id } = seed
  const preset = (number: number) => api.put(`/images/presets/p${number}`, { w: 100 })
  expect(await atOnce(230, preset)).toEqual({ 200: 200, 409: 30 })
  expect((await api.get('/images/presets')).body.pagination.total).toBe(200)
  const signingKey = (number: number) =>
    api.post(`/organizations/${org_id}/signing-keys/v1`, { project_id, name: `Server ${number}` })
  expect(await atOnce(30, signingKey)).toEqual({ 201: 20, 409: 10 })
  const webhook = () =>
    api.post(`/organizations/${org_id}/webhooks/v1`, { project_id, url: 'https://app.example/hook' })
  expect(await atOnce(70, webhook)).toEqual({ 201: 50, 409: 20 })
})
