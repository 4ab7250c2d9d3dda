import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { type Answer, type Api, key } from './api.ts'
import { local } from './media.ts'
import { keptFile, makeInPlace } from './videos/kept.ts'
import { ffmpeg } from './videos/programs.ts'

const makings = new Map<string, Promise<Buffer>>()

/** What ffmpeg makes of these arguments, in a file of this ending; once, however many tests want it. */
export function made(args: string[], ending: string): Promise<Buffer> {
  const what = JSON.stringify([args, ending])
  const making = makings.get(what) ?? findOrMake(args, ending)
  makings.set(what, making)
  return making
}

async function findOrMake(args: string[], ending: string): Promise<Buffer> {
  const make = async (output: string) => {
    await ffmpeg(['-v', 'error', ...args, output])
  }
  const kept = keptFile(args, ending)
  if (kept) {
    if (!existsSync(kept)) await makeInPlace(kept, make)
    return readFile(kept)
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-made-'))
  try {
    const file = path.join(folder, `made.${ending}`)
    await make(file)
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A small picture that moves, with a tone. */
export const clip = (seconds = 2, more: string[] = []) =>
  made(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
      ...more,
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'],
    ],
    'mp4',
  )

/** Uploads as an app does: init, PUT, and, unless told otherwise, complete. */
export function videoUploaderOf(api: Api) {
  const init = (more: object = {}) => api.post('/videos/upload/init', { file_name: 'clip.mp4', ...more })
  const put = (url: string, body: Buffer) => fetch(local(url), { method: 'PUT', body: new Uint8Array(body) })
  const complete = (video_id: string) => api.post('/videos/upload/complete', { video_id })
  async function send(content: Buffer, more: object = {}) {
    const { body } = await init(more)
    const sent = await put(body.video_presigned_url, content)
    if (sent.status !== 200) throw new Error(`PUT answered ${sent.status}: ${await sent.text()}`)
    return body
  }
  async function upload(content: Buffer, more: object = {}) {
    const { video_id } = await send(content, more)
    const answer = await complete(video_id)
    if (answer.status !== 200) throw new Error(`complete answered ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { init, put, complete, send, upload }
}

type Part = string | { name?: string; content: Buffer | string }

/** Sends forms: each part is a field, or a file with its name. A name may come several times. */
export function formsOf(
  { url, seed }: { url: string; seed: { api_key: string } },
  credential: Record<string, string> = key(seed.api_key),
) {
  async function send(method: string, address: string, parts: [field: string, part: Part][]) {
    const form = new FormData()
    for (const [field, part] of parts)
      if (typeof part === 'string') form.append(field, part)
      else form.append(field, new Blob([part.content]), part.name ?? nameFor(address))
    const response = await fetch(url + address, { method, headers: credential, body: form })
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer
  }
  return {
    put: (address: string, ...parts: [string, Part][]) => send('PUT', address, parts),
    post: (address: string, ...parts: [string, Part][]) => send('POST', address, parts),
  }
}

/** A name that the operation takes, for a test that is not about names. */
function nameFor(address: string): string {
  if (address.includes('/subtitles')) return 'file.vtt'
  return address.includes('/audio-tracks') ? 'file.mp3' : 'file'
}

/** What counts on the projects but for segments, which are made all the time. */
export async function bytesBesideSegments(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select (select sum(storage_used) from projects)::bigint
      - (select coalesce(sum(bytes), 0) from segments)::bigint as bytes`
  return row!.bytes
}
