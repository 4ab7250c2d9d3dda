import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../../server/config/config.ts'
import { QUEUES } from '../../server/start/slices.ts'
import { needs } from '../support/needs.ts'
import { root, startService } from '../support/service.ts'

const ALERTS = path.join(root, 'deploy/prometheus/alerts.yaml')
const DASHBOARD = path.join(root, 'deploy/grafana/marquee.json')

/** Series as they are used in PromQL: a name, and the labels it is chosen by. */
function usedIn(text: string): { name: string; labels: string[] }[] {
  return [...text.matchAll(/\b(marquee_[a-z0-9_]+)(\{[^}]*\})?/g)].map(([, name, chosen = '']) => ({
    name: name!,
    labels: [...chosen.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }))
}

/** Labels that a sum or a maximum is told by. */
const groupedIn = (text: string) =>
  [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(',').map((name) => name.trim()))

/** Prometheus' own, of whatever it reads. */
const OF_PROMETHEUS = ['job', 'instance', 'alertname']

const queriesOf = (dashboard: string) =>
  [...dashboard.matchAll(/"(?:expr|query)": "((?:[^"\\]|\\.)*)"/g)].map(([, query]) =>
    JSON.parse(`"${query}"`),
  )

test('every series and label of the dashboard and the alarms is one that a service tells, and is described', async () => {
  // Its metrics are all there, also those of traces that are sent to nobody.
  const { api, stop } = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
  await api.get('/videos')
  const { body } = await api.as({}).get('/metrics')
  await stop()
  const told = new Map<string, Set<string>>()
  for (const line of (body as string).split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(\{.*\})? /.exec(line) ?? []
    if (!name) continue
    const known = told.get(name) ?? new Set()
    for (const [, label] of labels.matchAll(/([a-z_]+)="/g)) known.add(label!)
    told.set(name, known)
  }
  // Nothing has been done in the background yet: what is counted by labels has none.
  told.set('marquee_jobs', new Set(['queue', 'state']))
  told.set('marquee_jobs_oldest_waiting_seconds', new Set(['queue']))
  for (const name of ['marquee_jobs', 'marquee_jobs_oldest_waiting_seconds'])
    expect(body).toContain(`# HELP ${name} `)

  const texts = [readFileSync(ALERTS, 'utf8'), ...queriesOf(readFileSync(DASHBOARD, 'utf8'))]
  const used = texts.flatMap(usedIn)
  expect(used.length).toBeGreaterThan(25)
  for (const { name, labels } of used) {
    expect([...told.keys()], 'a series that no service tells').toContain(name)
    for (const label of labels)
      expect([...told.get(name)!, ...OF_PROMETHEUS], `a label of ${name}`).toContain(label)
  }
  const all = [...told.values()].flatMap((labels) => [...labels])
  for (const label of texts.flatMap(groupedIn)) expect([...all, ...OF_PROMETHEUS]).toContain(label)

  const operating = readFileSync(path.join(root, 'docs/operating.md'), 'utf8')
  const own = [...told.keys()].filter((name) => !/^marquee_(process|nodejs)_/.test(name))
  for (const name of own) expect(operating).toContain(name.replace(/_(bucket|sum|count)$/, ''))
})

test('each alarm leads to a section of the runbook that names it, and the runbook names no other', () => {
  const [, runbook] = readFileSync(path.join(root, 'docs/operating.md'), 'utf8').split('\n## Runbook\n')
  const sections = runbook!.split('\n## ')[0]!.split('\n### ').slice(1)
  const byAnchor = new Map(
    sections.map((text) => [
      text
        .split('\n')[0]!
        .toLowerCase()
        .replaceAll(/[^a-z ]/g, '')
        .replaceAll(' ', '-'),
      text,
    ]),
  )
  const alarms = [
    ...readFileSync(ALERTS, 'utf8').matchAll(/alert: (\w+)[\s\S]*?runbook: docs\/operating\.md#(\S+)/g),
  ]
  expect(alarms.length).toBe(readFileSync(ALERTS, 'utf8').split('- alert:').length - 1)
  for (const [, alarm, anchor] of alarms) expect(byAnchor.get(anchor!), anchor).toContain(`\`${alarm}\``)
  const known = alarms.map(([, alarm]) => alarm)
  for (const [, alarm] of runbook!.matchAll(/`(Marquee[A-Z]\w+)`/g)) expect(known).toContain(alarm)
})

test('every setting that the page names is one', () => {
  const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8')
  const known = Object.values(settings).map(({ name }) => name)
  for (const [name] of page.matchAll(/\b(?:MARQUEE|OTEL)_[A-Z0-9_]+/g)) expect(known).toContain(name)
})

test('the table of queues has each that there is, and no other', () => {
  const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8')
  const [, rows] = /\n\| queue \|[^\n]*\n\| ---[^\n]*\n((?:\|.*\n)+)/.exec(page)!
  const named = rows!.split('\n').flatMap((row) => [...(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [])])
  expect(named.map(([, name]) => name).sort()).toEqual(QUEUES.map(({ name }) => name).sort())
})

const hasPromtool = needs('promtool (prometheus)', spawnSync('promtool', ['--version']).status === 0)

test.skipIf(!hasPromtool)('each alarm goes off by the figures that it is for', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: path.dirname(ALERTS),
    encoding: 'utf8',
  })
  expect(status, stdout + stderr).toBe(0)
})
