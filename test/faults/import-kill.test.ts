import { randomBytes } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../server/platform/postgres/client.ts'
import { findS3Server } from '../platform/objects-s3-server.ts'
import { fileServer, sendFile } from '../support/file-server.ts'
import { inS3, onDisk } from '../support/places.ts'
import { createDatabase } from '../support/postgres.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'
import { clip } from '../support/video.ts'

const isLong = Boolean(process.env.MARQUEE_TEST_LONG)
const KILLS = isLong ? 20 : 2
const PIECE = 300_000

const s3Server = findS3Server()
afterAll(() => 'stop' in s3Server && s3Server.stop())

// On disk only where there is time, or nothing else.
const places = 'missing' in s3Server ? ['disk'] : isLong ? ['disk', 'S3'] : ['S3']
test.each(places)(
  `on %s, after ${KILLS} times kill -9, an import goes on where it was`,
  {
    timeout: KILLS * 30_000 + 60_000,
  },
  async (kind) => {
    const database = await createDatabase()
    const sql = connect({ url: database.url }, { max: 1 })
    const dataDir = freshDataDir()
    const place = kind === 'S3' && 'stop' in s3Server ? await inS3(s3Server) : onDisk(dataDir)
    const env = {
      ...place.env,
      MARQUEE_DATABASE_URL: database.url,
      MARQUEE_OUTBOUND_NETWORKS: '127.0.0.2/32',
    }
    // What no player minds at the end of a film, and enough of it that there is a rest after each kill.
    const padding = Buffer.concat([
      size(PIECE * (KILLS + 1) + 8),
      Buffer.from('free'),
      randomBytes(PIECE * (KILLS + 1)),
    ])
    const film = Buffer.concat([await clip(1), padding])
    let until = PIECE
    const server = await fileServer((request, response) => {
      const start = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0)
      if (until >= film.length) return sendFile(request, response, film)
      // Falls silent at a place, until the service is killed.
      const isRest = request.headers['if-range'] === '"one"'
      const range = { 'content-range': `bytes ${start}-${film.length - 1}/${film.length}` }
      const length = { 'content-length': film.length - start }
      response.writeHead(isRest ? 206 : 200, { etag: '"one"', ...length, ...(isRest && range) })
      response.write(film.subarray(start, until))
    })
    let service = await startService({ dataDir, env })
    onTestFinished(async () => {
      await sql.end({ timeout: 1 })
      await service.kill()
      await database.drop()
      discard(dataDir)
    })

    const { video_id } = (await service.api.post('/videos/import', { url: `${server.url}/film.mp4` })).body
    const progress = async () => (await service.api.get(`/videos/${video_id}/progress`)).body
    for (let kill = 0; kill < KILLS; kill++) {
      await expect.poll(async () => (await progress()).import?.received).toBe(until)
      // Earlier tries no longer count.
      await expect.poll(() => sql`select attempts from jobs`).toEqual([{ attempts: 1 }])
      await service.kill()
      until = kill + 1 === KILLS ? film.length : until + PIECE
      // Nobody has to wait until the one that was killed counts as such. It is the last try, unless bytes come.
      await sql`update jobs set due_at = now(), attempts = greatest(attempts, 4) where queue = 'import-video'`
      service = await startService({ dataDir, env })
    }
    const video = async () => (await service.api.get(`/videos/${video_id}`)).body
    await expect.poll(async () => (await video()).file?.size).toBe(film.length)
    const { id, project_id } = (await video()).file
    expect((await place.read(`media/${project_id}/${id}/original`)).equals(film)).toBe(true)
    // Not a byte of it was asked for twice.
    const starts = server.asked.map(({ range }) => Number(/\d+/.exec(range ?? '')?.[0] ?? 0))
    expect(starts).toEqual(Array.from({ length: KILLS + 1 }, (_, i) => i * PIECE))
  },
)

function size(bytes: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes)
  return head
}
