import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EventLine, sealLine } from '../../../server/platform/events/line.ts'
import type { EventEngine } from '../../../server/platform/events/port.ts'
import { type Engine, EVER, lineOf, loadAll, makeSpool, newOrganization, sealed } from './spooled.ts'

const RUNS = process.env.MARQUEE_TEST_LONG ? 200 : 5
const LINES = 12

/** A request in which a video of its own is watched so many times. */
function watching(organization: string, video: number, times = 1 + (video % 3)): EventLine {
  return lineOf(organization, {
    events: Array.from({ length: times }, (_, i) => ({
      kind: 'content_view' as const,
      time: 1_700_000_000_000_000 + i,
      viewer: 'ann',
      video: `video ${video}`,
      fields: { view_type: 'watch', content_id: `video ${video}` },
    })),
  })
}

async function watchesOf(engine: EventEngine, organization: string): Promise<Record<string, number>> {
  const found = await engine.contents({ organization }, EVER, { by: 'video', limit: 1000 })
  return Object.fromEntries(found.map(({ id, watches }) => [id, watches]))
}

const expected = (videos: number[]) =>
  Object.fromEntries(videos.map((video) => [`video ${video}`, 1 + (video % 3)]))

const all = Array.from({ length: LINES }, (_, i) => i)

/** Lines that are damaged, or that no engine can take: they cost themselves only. */
export function damage(engine: Engine): void {
  test('bytes that have changed cost the lines that they are in, and no other', async () => {
    const flips = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 255 })),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    await fc.assert(
      fc.asyncProperty(flips, async (flips) => {
        const [organization, spool] = [newOrganization(), await makeSpool()]
        const lines = all.map((video) => sealed(watching(organization, video)))
        const chunk = await spool.writeRaw(lines)
        const bytes = readFileSync(chunk.path)
        const ends: number[] = []
        for (const line of lines) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(line) + 1)
        const touched = new Set<number>()
        for (const [where, by] of flips) {
          const at = Math.min(bytes.length - 1, Math.floor(where * bytes.length))
          bytes[at]! ^= by
          touched.add(ends.findIndex((end) => at < end))
        }
        writeFileSync(chunk.path, bytes)

        const { aside } = await loadAll(engine(), chunk)
        const found = await watchesOf(engine(), organization)
        const untouched = all.filter((video) => !touched.has(video))
        expect(found).toMatchObject(expected(untouched))
        // Of the touched ones each is there as it was sent, where the damage was beside it, or put aside.
        expect(expected(all)).toMatchObject(found)
        expect(aside.length > 0 || Object.keys(found).length === LINES).toBe(true)
        for (const { file } of aside) expect(existsSync(file)).toBe(true)
        await spool.remove()
      }),
      { numRuns: RUNS },
    )
  })

  test('a line that can be read but says something else than was sent is put aside', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const lines = all.map((video) => sealed(watching(organization, video)))
    lines[3] = lines[3]!.replaceAll('video 3', 'video 8')
    const { aside } = await loadAll(engine(), await spool.writeRaw(lines))
    expect(aside.map(({ reason }) => reason)).toEqual(['its checksum does not fit'])
    expect(await watchesOf(engine(), organization)).toEqual(expected(all.filter((video) => video !== 3)))
    await spool.remove()
  })

  test('a line feed that has changed costs nothing', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const lines = all.map((video) => sealed(watching(organization, video)))
    const chunk = await spool.writeRaw(lines)
    const bytes = readFileSync(chunk.path)
    for (let i = 0; i < bytes.length; i++) if (bytes[i] === 10) bytes[i] = 0xff
    writeFileSync(chunk.path, bytes)
    expect((await loadAll(engine(), chunk)).aside).toEqual([])
    expect(await watchesOf(engine(), organization)).toEqual(expected(all))
    await spool.remove()
  })

  test('lines of a version without checksums are loaded, or put aside where they are damaged', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const line = JSON.stringify(watching(organization, 5))
    const bad = [
      '',
      'null',
      line.slice(0, -1),
      line.replace('"time"', '"tine"'),
      line.replace('"content_view"', '"content-view"'),
      line.replace('"ann"', '7'),
      line.replace('"events":[', '"events":[null,'),
      Buffer.from(line.replace('ann', '\xff'), 'latin1'),
    ]
    const good = (video: number) => JSON.stringify(watching(organization, video))
    const chunk = await spool.writeRaw([good(0), ...bad, good(1), good(2)])
    const { aside } = await loadAll(engine(), chunk)
    expect(aside.map(({ file }) => readFileSync(file, 'latin1'))).toEqual(
      bad.map((one) => Buffer.from(one).toString('latin1')),
    )
    expect(await watchesOf(engine(), organization)).toEqual(expected([0, 1, 2]))
    await spool.remove()
  })

  test('lines whose checksum fits but that were written wrong are put aside, and no other', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const bad = [
      sealed(watching(organization, 6, 2)).replace('"time":1700000000000000', '"time":"noon"'),
      sealed(watching(organization, 7)).replace('"content_view"', '"content-view"'),
      sealed(watching(organization, 8)).replace('"project":', '"project"'),
    ].map((line) => sealLine(line.slice(0, line.indexOf(',"count":')), 1))
    const good = (video: number) => sealed(watching(organization, video))
    const lines = [good(0), bad[0]!, good(1), good(2), bad[1]!, bad[2]!, good(3)]
    const { aside } = await loadAll(engine(), await spool.writeRaw(lines))
    expect(aside.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(bad)
    expect(await watchesOf(engine(), organization)).toEqual(expected([0, 1, 2, 3]))
    await spool.remove()
  })

  test('an event with tens of thousands of segments is put aside, and what comes after it is loaded', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const places = Array.from({ length: 60_000 }, (_, i) => i * 1_000_000)
    const poison = watching(organization, 9)
    poison.events[0] = { ...poison.events[0]!, segment_starts: places, segment_ends: places }
    const chunk = await spool.write([watching(organization, 0), poison, poison, watching(organization, 1)])
    const { aside } = await loadAll(engine(), chunk)
    expect(aside.map(({ reason }) => reason)).toEqual(Array(2).fill('an event has more than 2000 segments'))
    expect(await watchesOf(engine(), organization)).toEqual(expected([0, 1]))
    await spool.remove()
  })

  test('lines that are to be put aside are, once, however often that is tried', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const chunk = await spool.write([watching(organization, 0), watching(organization, 1)])
    for (let i = 0; i < 2; i++) await engine().load({ ...chunk, lines: 1, reject: 'as asked' })
    expect(readdirSync(chunk.aside)).toHaveLength(1)
    const { offset } = (await engine().position(spool.name))!
    await loadAll(engine(), { ...chunk, from: offset })
    expect(await watchesOf(engine(), organization)).toEqual(expected([1]))
    await spool.remove()
  })

  test('much is loaded in bounded pieces, each line once', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const line = watching(organization, 2, 50)
    for (const { fields } of line.events) fields.country = 'x'.repeat(20_000)
    const chunk = await spool.writeRaw(Array.from({ length: 10 }, () => sealed(line)))
    const first = await engine().load(chunk)
    expect(first.offset).toBeLessThan(chunk.to)
    await loadAll(engine(), { ...chunk, from: first.offset })
    expect(await watchesOf(engine(), organization)).toEqual({ 'video 2': 500 })
    await spool.remove()
  })
}
