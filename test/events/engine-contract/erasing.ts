import { expect, test } from 'vitest'
import { type Engine, EVER, lineOf, loadLines, newOrganization } from './spooled.ts'

const VIDEO = 'vid_01k9qxyzabcdefghjkmnpqrstv'

export function erasing(engine: Engine): void {
  /** A view of each of these, one second after the other. */
  const views = (organization: string, project: string, viewers: string[]) =>
    lineOf(organization, {
      project,
      events: viewers.map((viewer, i) => ({
        kind: 'content_view' as const,
        time: 1_700_000_000_000_000 + i * 1_000_000,
        viewer,
        video: VIDEO,
        fields: { view_type: 'start', content_id: VIDEO },
      })),
    })
  const seen = async (organization: string, project?: string) =>
    (await engine().realtime({ organization, project }, EVER)).recent.map(({ viewer }) => viewer)

  test('the events of a project are deleted, and nobody else’s', async () => {
    const [organization, other] = [newOrganization(), newOrganization()]
    const mine = [views(organization, 'one', ['ann', 'bob', `of ${organization}`])]
    const others = [views(organization, 'two', ['bob', 'cat']), views(other, 'one', ['ann'])]
    await loadLines(engine(), [...mine, ...others])
    const erase = () => engine().erase({ organization, project: 'one' })
    await erase()
    expect(await seen(organization, 'one')).toEqual([])
    expect(await seen(organization)).toEqual(['cat', 'bob'])
    expect(await seen(other)).toEqual(['ann'])
    const [top] = await engine().contents({ organization }, EVER, { by: 'video', limit: 1 })
    expect(top).toMatchObject({ id: VIDEO, views: 2, viewers: 2 })

    // What comes afterwards counts, under names that were there before and others.
    await loadLines(engine(), [views(organization, 'one', ['dan', 'ann', 'bob', `of ${organization}`])])
    expect(await seen(organization, 'one')).toEqual([`of ${organization}`, 'bob', 'ann', 'dan'])
    expect((await engine().contents({ organization }, EVER, { by: 'video', limit: 1 }))[0]).toMatchObject({
      views: 6,
      viewers: 5,
    })
    await erase()
    await erase()
    expect(await seen(organization)).toEqual(['cat', 'bob'])
  })

  test('the events of one viewer of a project are deleted, and no others', async () => {
    const [organization, other] = [newOrganization(), newOrganization()]
    const hostile = `O'Neil \\ "ü" ${organization}`
    await loadLines(engine(), [
      views(organization, 'one', ['ann', hostile, 'bob', hostile]),
      views(organization, 'two', [hostile]),
      views(other, 'one', [hostile]),
    ])
    await engine().erase({ organization, project: 'one', viewer: hostile })
    expect(await seen(organization, 'one')).toEqual(['bob', 'ann'])
    expect(await seen(organization, 'two')).toEqual([hostile])
    expect(await seen(other)).toEqual([hostile])
    await engine().erase({ organization, project: 'one', viewer: 'nobody' })
    const bobs = { organization, project: 'one', viewer: 'bob' }
    const before = await engine().newest(bobs)
    // What arrives later stays.
    const later = { ...views(organization, 'one', ['bob', 'bob']), arrival: 5_000_000_000_000_001 }
    await loadLines(engine(), [later])
    expect(before).toBeLessThan(later.arrival)
    expect(await engine().newest(bobs)).toBe(later.arrival + 1)
    expect(await engine().newest({ ...bobs, viewer: 'nobody' })).toBe(0)
    await engine().erase({ ...bobs, before: 5_000_000_000_000_002 })
    expect(await seen(organization, 'one')).toEqual(['bob', 'ann'])
    await engine().erase({ organization, project: 'one', viewer: 'ann', before: 0 })
    expect(await seen(organization, 'one')).toEqual(['bob', 'ann'])
  })

  test('a line without events, as one is that was erased, loads as nothing', async () => {
    const organization = newOrganization()
    const empty = lineOf(organization, { project: 'one', events: [] })
    await loadLines(engine(), [empty, views(organization, 'one', ['ann']), empty])
    expect(await seen(organization)).toEqual(['ann'])
  })

  test('a project that has no events has none to delete', async () => {
    await engine().erase({ organization: newOrganization(), project: 'none' })
  })
}
