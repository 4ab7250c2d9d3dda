import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { ago, watches, watching } from '../support/watching.ts'
import { addTenant } from '../support/world.ts'

const PATH = '/analytics/v1/events'

test('no batch that a publishable key can send keeps another tenant from its reports', {
  timeout: 300_000,
}, async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api', MARQUEE_EVENTS_PATIENCE: '120' } })
  const attacker = await addTenant(service, 'attacker')
  const attack = service.api.as(key(attacker.publishableKey))
  expect((await service.api.post(PATH, { events: [watching()] })).status).toBe(200)

  const apart = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ start_ms: `${2 * i}s`, end_ms: `${2 * i + 1}s` }))
  const refused: [object, string][] = [
    [
      { events: [watching({ segments: Array(60_000).fill({}) })] },
      'events[0].content_view.segments: at most 500',
    ],
    [{ events: [watching({ segments: apart(501) })] }, 'events[0].content_view.segments: at most 500'],
    [
      { user_id: 'x'.repeat(1_900_000), events: Array(1000).fill({ timestamp: ago(1), error: {} }) },
      'user_id: must not be longer',
    ],
    [
      { events: [{ timestamp: ago(1), error: { stack_trace: 'x'.repeat(1_900_000) } }] },
      'events[0].error.stack_trace: must not be longer',
    ],
  ]
  for (const [body, details] of refused) {
    const answer = await attack.post(PATH, body)
    expect([answer.status, answer.body.details.slice(0, details.length)]).toEqual([400, details])
  }

  // As much as is allowed, in each way.
  const country = 'x'.repeat(1024)
  const most: object[] = [
    { events: Array(80).fill(watching({ segments: apart(500) })) },
    { events: Array(60).fill(watching({ segments: Array(500).fill({}) })) },
    { country, city: country, region: country, events: Array(1000).fill({ timestamp: ago(1), error: {} }) },
    { events: Array(120).fill({ timestamp: ago(1), error: { stack_trace: 'x'.repeat(16_384) } }) },
  ]
  for (const body of [...most, ...most]) expect((await attack.post(PATH, body)).status).toBe(200)
  expect((await service.api.post(PATH, { events: [watching()] })).status).toBe(200)
  expect(await watches(service.api)).toBe(2)
  expect(await watches(service.api.as(key(attacker.secretKey)))).toBe(280)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toContain('marquee_events_rejected 0')
})
