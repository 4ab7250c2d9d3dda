import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keysUnder, MiB, ownPrefix, read, readText, type Store, sha256 } from './helpers.ts'

export function concurrency(store: Store): void {
  test('a reader sees one version whole while others are put', async () => {
    const key = `${ownPrefix()}a`
    const versions = [Buffer.alloc(MiB, 'a'), Buffer.alloc(9 * MiB, 'b'), Buffer.alloc(5 * MiB, 'c')]
    const whole = versions.map(sha256)
    await store().put(key, versions[0]!)
    let writing = true
    const writer = (async () => {
      for (let round = 0; round < 15; round++) await store().put(key, versions[round % 3]!)
      writing = false
    })()
    const reader = async () => {
      let reads = 0
      for (; writing || reads === 0; reads++) {
        const object = (await read(store(), key))!
        expect(whole).toContain(sha256(object))
      }
      return reads
    }
    await Promise.all([writer, reader(), reader(), reader()])
  })

  test('an object that is open is read to its end, though it is replaced and deleted', async () => {
    const key = `${ownPrefix()}a`
    const body = randomBytes(6 * MiB)
    await store().put(key, body)
    const { stream } = (await store().get(key))!
    const chunks: Buffer[] = []
    const chunksLater = stream.iterator()
    chunks.push((await chunksLater.next()).value)
    await store().put(key, Buffer.from('other'))
    await store().delete(key)
    for await (const chunk of chunksLater) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(body)).toBe(true)
  })

  test('of 50 puts of one key at once, one stays, whole', async () => {
    const prefix = ownPrefix()
    const bodies = Array.from({ length: 50 }, () => randomBytes(100_000))
    const stored = await Promise.all(bodies.map((body) => store().put(`${prefix}a`, body, { sha256: true })))
    expect(stored.map((object) => object.sha256)).toEqual(bodies.map(sha256))
    const left = sha256((await read(store(), `${prefix}a`))!)
    expect(bodies.map(sha256)).toContain(left)
    expect(await keysUnder(store(), prefix)).toEqual([`${prefix}a`])
    expect(await store().sweepTemporary(0)).toBe(0)
  })

  test('puts and deletes in one folder do not disturb each other', async () => {
    const prefix = ownPrefix()
    const comeAndGo = async (name: string) => {
      for (let round = 0; round < 25; round++) {
        await store().put(`${prefix}deep/folder/${name}`, Buffer.from(name))
        expect(await readText(store(), `${prefix}deep/folder/${name}`)).toBe(name)
        await store().move(`${prefix}deep/folder/${name}`, `${prefix}deep/other/${name}`)
        await store().delete(`${prefix}deep/other/${name}`)
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(comeAndGo))
    expect(await keysUnder(store(), prefix)).toEqual([])
  })

  test('a put beside the deletion of its prefix succeeds, and is kept or deleted whole', async () => {
    const prefix = ownPrefix()
    for (let round = 0; round < 10; round++) {
      const puts = ['a', 'b/c'].map((name) => store().put(`${prefix}v/${name}`, Buffer.from(name)))
      await Promise.all([...puts, store().deletePrefix(`${prefix}v/`)])
      for (const key of await keysUnder(store(), prefix))
        expect(`${prefix}v/${await readText(store(), key)}`).toBe(key)
    }
  })
}
