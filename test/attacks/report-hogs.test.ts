import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { key } from '../support/api.ts'
import { duckDbOf } from '../support/events.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { watches, watching } from '../support/watching.ts'
import { addTenant } from '../support/world.ts'

const FUNNELS = 40
/** Long enough for any machine. */
const PATIENT = { env: { MARQUEE_EVENTS_PATIENCE: '300', MARQUEE_ROLES: 'api' } }

const HEAVY = {
  range: { start: '1970-01-01', end: '2026-12-31' },
  steps: Array.from({ length: 20 }, () => ({ name: 'again', event_type: 'content_view' })),
}

/** A victim and an attacker, both with events, and the process of the engine that they share. */
async function scene() {
  const service = await composeForTest(PATIENT)
  const attacker = await addTenant(service, 'attacker')
  const attack = service.api.as(key(attacker.secretKey))
  for (const api of [service.api, attack])
    expect((await api.post('/analytics/v1/events', { events: [watching()] })).status).toBe(200)
  expect(await watches(service.api)).toBe(1)
  const engine = duckDbOf({ pid: process.pid })!
  onTestFinished(() => {
    try {
      process.kill(engine, 'SIGCONT')
    } catch {
      // It has ended with the service.
    }
  })
  return { service, attacker, attack, engine }
}

async function waitingReports({ url }: InProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^marquee_reports_waiting (\d+)/m.exec(metrics)?.[1])
}

test('one tenant’s forty funnels do not keep another’s report waiting for all of them', {
  timeout: 300_000,
}, async () => {
  const { service, attack, engine } = await scene()
  const answered: string[] = []
  const note = (name: string) => (answer: { status: number }) => {
    expect(answer.status).toBe(200)
    answered.push(name)
  }
  // The engine stands still until all are there, so that only the order of the queue decides.
  process.kill(engine, 'SIGSTOP')
  const asked = Array.from({ length: FUNNELS }, () =>
    attack.post('/analytics/v1/funnels', HEAVY).then(note('attacker')),
  )
  // Two run, and one place is left for others.
  await expect.poll(() => waitingReports(service), { timeout: 120_000 }).toBe(FUNNELS - 2)
  const mine = [
    service.api.get('/analytics/v1/top/videos').then(note('small')),
    service.api.post('/analytics/v1/funnels', HEAVY).then(note('large')),
  ]
  await expect.poll(() => waitingReports(service), { timeout: 120_000 }).toBe(FUNNELS - 1)
  process.kill(engine, 'SIGCONT')
  await Promise.all([...asked, ...mine])
  expect(answered.indexOf('small')).toBeLessThan(6)
  expect(answered.indexOf('large')).toBeLessThan(8)
})

test('reports whose callers have gone are ended, and the engine lives', { timeout: 300_000 }, async () => {
  const { service, attacker, engine } = await scene()
  process.kill(engine, 'SIGSTOP')
  const gone = new AbortController()
  const asked = Array.from({ length: FUNNELS }, () =>
    fetch(`${service.url}/analytics/v1/funnels`, {
      method: 'POST',
      headers: { 'x-api-key': attacker.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(HEAVY),
      signal: gone.signal,
    }).catch((error: Error) => error.name),
  )
  await expect.poll(() => waitingReports(service), { timeout: 120_000 }).toBe(FUNNELS - 2)
  gone.abort()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['AbortError']))
  await expect.poll(() => waitingReports(service), { timeout: 120_000 }).toBe(0)
  process.kill(engine, 'SIGCONT')
  expect(await watches(service.api)).toBe(1)
  expect(readdirSync(`/proc/${engine}`)).toContain('stat')
})
