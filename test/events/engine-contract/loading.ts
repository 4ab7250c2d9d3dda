import { expect, test } from 'vitest'
import type { EventLine } from '../../../server/platform/events/line.ts'
import { ONCE_WITHIN } from '../../../server/platform/events/line.ts'
import { type Engine, EVER, lineOf, loadAll, loadLines, makeSpool, newOrganization } from './spooled.ts'

export function loading(engine: Engine): void {
  const count = async (organization: string) =>
    (await engine().realtime({ organization }, EVER)).kinds.reduce((sum, { count }) => sum + count, 0)

  const lineWith = (organization: string, events: number, part: Partial<EventLine> = {}) =>
    lineOf(organization, {
      ...part,
      events: Array.from({ length: events }, (_, i) => ({
        kind: 'interaction' as const,
        time: 1_700_000_000_000_000 + i,
        viewer: `viewer ${i}`,
        fields: {},
      })),
    })

  test('a spool of which nothing is loaded has no position', async () => {
    expect(await engine().position('a spool that nobody has')).toBeUndefined()
  })

  test('a chunk that is loaded again is loaded once', async () => {
    const organization = newOrganization()
    const spool = await makeSpool()
    const chunk = await spool.write([lineWith(organization, 3), lineWith(organization, 2)])
    expect(await loadAll(engine(), chunk)).toMatchObject({ segment: 1, offset: chunk.to })
    expect(await engine().position(spool.name)).toEqual({ segment: 1, offset: chunk.to })
    expect(await engine().load(chunk)).toEqual({ segment: 1, offset: chunk.to, aside: [] })
    expect(await engine().position(spool.name)).toEqual({ segment: 1, offset: chunk.to })
    expect(await count(organization)).toBe(5)
    await spool.remove()
  })

  test('many chunks, and further segments', async () => {
    const organization = newOrganization()
    const spool = await makeSpool()
    for (let segment = 1; segment <= 3; segment++) {
      for (let i = 0; i < 3; i++) {
        const chunk = await spool.write([lineWith(organization, 2), lineWith(organization, 1)])
        await loadAll(engine(), chunk)
        expect(await engine().position(spool.name)).toEqual({ segment, offset: chunk.to })
      }
      spool.nextSegment()
    }
    expect(await count(organization)).toBe(27)
    await spool.remove()
  })

  test('a part of a file is loaded, not what is before or behind it', async () => {
    const organization = newOrganization()
    const spool = await makeSpool()
    const first = await spool.write([lineWith(organization, 1)])
    const second = await spool.write([lineWith(organization, 2)])
    await spool.write([lineWith(organization, 4)])
    await loadAll(engine(), first)
    expect(await count(organization)).toBe(1)
    await loadAll(engine(), second)
    expect(await count(organization)).toBe(3)
    await spool.remove()
  })

  test('spools do not know of each other, though all say the same of where they are', async () => {
    const organization = newOrganization()
    const spools = [await makeSpool(), await makeSpool()]
    for (const spool of spools) {
      expect(await engine().position(spool.name)).toBeUndefined()
      await loadAll(engine(), await spool.write([lineWith(organization, 2, { arrival: 1000 })]))
    }
    expect(await count(organization)).toBe(4)
    for (const spool of spools) await spool.remove()
  })

  test('the same request counts once a day, in a chunk, over chunks and over spools', async () => {
    const [organization, other] = [newOrganization(), newOrganization()]
    const at = (received: number, name = organization) =>
      lineWith(name, 1, { request: 'the same', received: 1_700_000_000_000 + received })
    await loadLines(engine(), [at(0), at(1), at(0, other)])
    expect(await count(organization)).toBe(1)
    expect(await count(other)).toBe(1)
    await loadLines(engine(), [at(ONCE_WITHIN - 1)])
    expect(await count(organization)).toBe(1)
    await loadLines(engine(), [at(ONCE_WITHIN)])
    expect(await count(organization)).toBe(2)
    // A spool that comes late: what it holds was received before what counted.
    await loadLines(engine(), [at(-1), at(-ONCE_WITHIN)])
    expect(await count(organization)).toBe(3)
  })
}
