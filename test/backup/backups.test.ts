import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import {
  contentOfBackup,
  fill,
  keepNewest,
  openVault,
  sweepVault,
  verifyBackup,
  withLiveContent,
} from '../../server/backup/index.ts'
import { openDiskStore } from '../../server/platform/objects/disk.ts'
import { lineOf, loadLines } from '../events/engine-contract/spooled.ts'
import { scene } from '../fixtures/images.ts'
import { emptyTarget, eventsIn, quietly, scratchFolder, sourceOf, vaultIn } from '../support/backups.ts'
import { composeForTest } from '../support/in-process.ts'
import { filesBelow, uploaderOf } from '../support/media.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

const picture = async (side: number) => scene(side, side).jpeg().toBuffer()
const viewOf = (organization: string, viewer: string, arrival: number) =>
  lineOf(organization, {
    arrival,
    events: [
      {
        kind: 'content_view',
        time: 1_700_000_000_000_000,
        viewer,
        video: 'vid_1',
        watched: 1_500_000,
        segment_starts: [0, 5_000_000],
        segment_ends: [1_000_000, 6_000_000],
        segments: '[[0,1],[5,6]]',
        fields: { view_type: 'watch', content_id: 'vid_1', page: `"ü" \\ 'of ${viewer}` },
      },
    ],
  })

test('records, media and events come back as they were, on other engines, and again is no different', async () => {
  const service = await composeForTest()
  const image = await uploaderOf(service.api).upload(await picture(300))
  const video = await videoUploaderOf(service.api).upload(await clip(2))
  const waiting = await uploaderOf(service.api).send(await picture(200))
  // What is made of the film later would be in the service alone.
  await expect.poll(() => service.sql`select from jobs`).toHaveLength(0)
  const engine = eventsIn(scratchFolder())
  await loadLines(engine, [
    viewOf('org', 'ann', 1_000_000),
    viewOf('org', 'bob', 1_000_001),
    viewOf('two', 'cat', 9_000_000),
  ])
  const { vault, backUp } = await vaultIn(scratchFolder(), randomBytes(32))
  const { manifest } = await backUp(await sourceOf(service, engine))
  expect(manifest).toMatchObject({ missing: [], events: { count: 3 } })
  expect(await verifyBackup(vault, manifest, quietly)).toMatchObject({ problems: [], events: 3 })

  const target = await emptyTarget()
  for (let again = 0; again < 2; again++)
    expect(
      await fill(contentOfBackup(vault, manifest), target, { progress: quietly, readBack: false }),
    ).toMatchObject({
      objects: manifest.objects.count,
      events: 3,
    })
  const rowsOf = async (sql: typeof service.sql, table: string) =>
    (await sql.unsafe<{ row: string }[]>(`select t::text as row from ${table} t order by 1`)).map(
      ({ row }) => row,
    )
  for (const table of [
    'organizations',
    'projects',
    'files',
    'images',
    'media_items',
    'media_counts',
    'api_key_secrets',
    'feeds',
    'playback_plans',
  ])
    expect(await rowsOf(target.sql, table), table).toEqual(await rowsOf(service.sql, table))
  const keys = (folder: string) =>
    filesBelow(path.join(folder, 'objects'))
      .map((file) => path.relative(folder, file))
      .sort()
  for (const key of keys(target.folder))
    expect(
      readFileSync(path.join(target.folder, key)).equals(readFileSync(path.join(service.dataDir, key))),
      key,
    ).toBe(true)
  expect(keys(target.folder).join()).toContain(`incoming/`)
  expect(image.status + Number(Boolean(video.id)) + Number(Boolean(waiting))).toBe(202)

  // What rows set off works as before, references too.
  await expect(
    target.sql`insert into projects (id, org_id, name) values ('p', 'nobody', 'n')`,
  ).rejects.toThrow(/org_id/)
  const garbage = await target.sql`select from garbage`
  await target.sql`delete from files where id = (select file_id from images where id = ${image.body.id})`
  expect((await target.sql`select from garbage`).length).toBe(garbage.length + 1)
  const [job] = await target.sql`insert into jobs (queue, key, payload) values ('q', 'k', '{}') returning id`
  expect(Number(job!.id)).toBeGreaterThan(0)

  const file = path.join(target.folder, 'all.ndjson')
  expect(await target.events.count({ organization: 'org' })).toBe(2)
  const source = path.join(scratchFolder(), 'source.ndjson')
  await engine.dump({}, source)
  await (target.events as typeof engine).dump({}, file)
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(source, 'utf8'))
})

test('a second backup copies what is new; forgotten ones take along what nothing else names', async () => {
  const service = await composeForTest()
  const { upload } = uploaderOf(service.api)
  const engine = eventsIn(scratchFolder())
  const source = await sourceOf(service, engine)
  const folder = scratchFolder()
  const { vault, backUp } = await vaultIn(folder)
  const first = (await upload(await picture(300))).body.id
  const one = await backUp(source)
  const blobs = () => filesBelow(path.join(folder, 'objects/blobs'))
  const written = new Map(blobs().map((file) => [file, statSync(file).mtimeMs]))
  const second = await picture(310)
  await upload(second)
  const two = await backUp(source)
  for (const [file, time] of written) expect(statSync(file).mtimeMs, file).toBe(time)
  expect(two.added.contents).toBeLessThan(one.added.contents)
  expect(two.added.bytes).toBeGreaterThan(second.length)
  expect(two.added.bytes).toBeLessThan(second.length + 60_000)

  await service.api.delete(`/images/${first}`)
  const three = await backUp(source)
  expect(await keepNewest(vault, 1)).toEqual([one.manifest.id, two.manifest.id])
  const before = blobs().length
  expect(await sweepVault(vault)).toBe(before - blobs().length)
  expect(before).toBeGreaterThan(blobs().length)
  expect(await verifyBackup(vault, three.manifest, quietly)).toMatchObject({ problems: [] })
})

test('what is deleted while a backup is made is in it, and goes afterwards', async () => {
  const service = await composeForTest({ env: { MARQUEE_SWEEP_INTERVAL: '1' } })
  const image = (await uploaderOf(service.api).upload(await picture(300))).body
  const source = await sourceOf(service, eventsIn(scratchFolder()))
  const held = () => filesBelow(path.join(service.dataDir, 'objects/held')).length
  await withLiveContent(source, async (content) => {
    expect((await service.api.delete(`/images/${image.id}`)).status).toBe(204)
    await expect.poll(() => filesBelow(path.join(service.dataDir, 'objects/media')).length).toBe(0)
    expect(held()).toBeGreaterThan(0)
    const found: Buffer[] = []
    for await (const object of content.objects())
      if (object.isRequired) found.push(await buffer((await object.open())!))
    expect(found).toHaveLength(1)
    expect(found[0]!.length).toBeGreaterThan(100)
    await expect(withLiveContent(source, async () => {})).rejects.toThrow(/another backup/)
  })
  await expect.poll(held).toBe(0)
})

test('what is damaged, cut off or missing is named, and is not restored; so is a key that does not fit', async () => {
  const service = await composeForTest()
  const { id } = (await uploaderOf(service.api).upload(await picture(400))).body
  const folder = scratchFolder()
  const key = randomBytes(32)
  const { vault, backUp } = await vaultIn(folder, key)
  const { manifest } = await backUp(await sourceOf(service, eventsIn(scratchFolder())))
  const place = await openDiskStore(folder)
  const opened = (given?: Buffer) => openVault({ place, key: given, name: 'there' })
  await expect(opened(randomBytes(32))).rejects.toThrow('the key is not that of the backups in there')
  await expect(opened()).rejects.toThrow(/encrypted: give their key with --key-file/)
  await expect(openVault({ place, key, name: 'there', make: { installation: 'another' } })).rejects.toThrow(
    /another installation/,
  )
  const plain = await vaultIn(scratchFolder())
  expect(plain.vault.about.check).toBeUndefined()
  const inAll = filesBelow(path.join(folder, 'objects'))
    .map((file) => readFileSync(file))
    .reduce((all, one) => Buffer.concat([all, one]))
  expect(inAll.includes(id)).toBe(false)

  const target = await emptyTarget()
  const restore = () => fill(contentOfBackup(vault, manifest), target, { progress: quietly, readBack: false })
  const largest = filesBelow(path.join(folder, 'objects/blobs')).sort(
    (a, b) => statSync(b).size - statSync(a).size,
  )[0]!
  const name = path.basename(largest)
  const whole = readFileSync(largest)
  const damages: [how: string, damage: () => void][] = [
    [
      'damaged',
      () =>
        writeFileSync(
          largest,
          Buffer.concat([whole.subarray(0, 500), Buffer.from([whole[500]! ^ 1]), whole.subarray(501)]),
        ),
    ],
    ['cut off', () => truncateSync(largest, whole.length - 100)],
    ['missing', () => rmSync(largest)],
  ]
  for (const [how, damage] of damages) {
    damage()
    const { problems } = await verifyBackup(vault, manifest, quietly)
    expect(problems.join(), how).toContain(name)
    await expect(restore(), how).rejects.toThrow(/damaged|missing/)
    const [row] = await target.sql`select count(*)::int as rows from organizations`
    expect(row!.rows, how).toBe(0)
    writeFileSync(largest, whole)
  }
  expect(await verifyBackup(vault, manifest, quietly)).toMatchObject({ problems: [] })
  await restore()

  const [manifestFile] = filesBelow(path.join(folder, 'objects/manifests'))
  truncateSync(manifestFile!, 300)
  await expect(vault.read(manifest.id)).rejects.toThrow(/damaged/)
  expect(readdirSync(path.join(folder, 'temporary'))).toEqual([])
})
