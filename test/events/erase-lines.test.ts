import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventLine, StoredEvent } from '../../server/platform/events/line.ts'
import { checkLine, parseLine } from '../../server/platform/events/spool/check-line.ts'
import { eraseLines } from '../../server/platform/events/spool/erase-lines.ts'
import { sealed } from './engine-contract/spooled.ts'

const VIEWERS = ['ann', 'anna', 'ä"\\\n\u2028', '👩‍🚀', '']
const PROJECTS = ['one', 'two']
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

function randomLine(arrival: number): EventLine {
  const events = Array.from({ length: 1 + Math.floor(Math.random() * 4) }, (): StoredEvent => {
    const viewer = pick([...VIEWERS, undefined])
    return {
      kind: 'engagement',
      time: 1_700_000_000_000_000 + arrival,
      ...(viewer !== undefined && { viewer }),
      fields: { comment_text: `ann says "viewer":"ann" ${'é'.repeat(Math.random() * 20)}` },
    }
  })
  const viewer = pick([...VIEWERS, undefined, undefined, undefined])
  return {
    organization: 'org',
    project: pick(PROJECTS),
    received: 1_700_000_000_000,
    arrival,
    ...(Math.random() < 0.5 && { request: 'r'.repeat(1 + Math.random() * 10) }),
    ...(viewer !== undefined && { viewer }),
    envelope: { country: 'PT' },
    events,
  }
}

/** The slow way: what is left of whom, in order. */
const viewersOf = (lines: EventLine[], isErased: (project: string, viewer?: string) => boolean) =>
  lines.flatMap(({ project, viewer: ofAll, events }) => {
    const all = events.map(({ viewer, time }) => ({ project, viewer: ofAll ?? viewer, time }))
    return all.filter(({ viewer }) => !isErased(project, viewer))
  })

function write(lines: readonly (string | Buffer)[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-erase-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'segment')
  const whole = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
  writeFileSync(file, whole)
  const read = () => {
    const bytes = readFileSync(file)
    expect(bytes.length).toBe(whole.length)
    return bytes
  }
  return { file, bytes: whole.length, read, whole }
}

const linesIn = (bytes: Buffer) => bytes.toString().split('\n').slice(0, -1)

test.each(VIEWERS)(
  'of the viewer %j all goes, of others nothing, and every line stays in its place',
  async (viewer) => {
    const lines = Array.from({ length: 300 }, (_, i) => randomLine(i * 10))
    const { file, bytes, read, whole } = write(lines.map(sealed))
    await eraseLines(file, bytes, [{ organization: 'org', project: 'one', viewer }])
    const left = linesIn(read()).map((line) => {
      expect(checkLine(Buffer.from(line))).toHaveProperty('events')
      return parseLine(Buffer.from(line)) as EventLine
    })
    const isErased = (project: string, of?: string) => project === 'one' && of === viewer
    expect(viewersOf(left, () => false)).toEqual(viewersOf(lines, isErased))
    const lengths = (content: Buffer) => linesIn(content).map((line) => Buffer.byteLength(line))
    expect(lengths(read())).toEqual(lengths(whole))

    const once = read()
    await eraseLines(file, bytes, [{ organization: 'org', project: 'two', viewer, before: 0 }])
    expect(read().equals(once)).toBe(true)
    await eraseLines(file, bytes, [{ organization: 'org', project: 'one', viewer }])
    await eraseLines(file, bytes, [{ organization: 'another', project: 'one', viewer }])
    expect(read().equals(once)).toBe(true)
  },
)

test('a whole project goes, what is behind the end that is given stays', async () => {
  const lines = [randomLine(0), randomLine(10), randomLine(20)].map((line) => ({ ...line, project: 'one' }))
  const written = lines.map(sealed)
  const { file, bytes, read } = write(written)
  const end = bytes - Buffer.byteLength(written[2]!) - 1
  await eraseLines(file, end, [{ organization: 'org', project: 'one' }])
  const [first, second, third] = linesIn(read())
  for (const line of [first!, second!])
    expect(parseLine(Buffer.from(line))).toMatchObject({ envelope: {}, events: [] })
  expect(third).toBe(written[2])
})

test('of a line that was damaged nothing is left, and it can be loaded as nothing', async () => {
  const line = sealed({ ...randomLine(0), project: 'one', viewer: 'ann' })
  const damaged = Buffer.from(line)
  damaged[damaged.indexOf('"events"') + 4] = 0
  const { file, bytes, read } = write([damaged])
  expect(checkLine(damaged)).toHaveProperty('reason')
  await eraseLines(file, bytes, [{ organization: 'org', project: 'one', viewer: 'ann' }])
  expect(read().includes('ann')).toBe(false)
  expect(checkLine(read().subarray(0, -1))).toEqual({ events: 0, isWhole: true })
})
