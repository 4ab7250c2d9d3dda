import { execFile } from 'node:child_process'
import { createReadStream, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BegunVideo, Progress, Video } from '../../server/videos/schemas.ts'
import type { Service } from './upload.ts'

const exec = promisify(execFile)

/** An app that uploads videos, and players that watch them. */
export function watcherOf({ url, quickstart }: Pick<Service, 'url' | 'quickstart'>, folder: string) {
  const direct = (address: string) => address.replace('localhost', '127.0.0.1')

  async function call<Answer>(method: string, address: string, body?: object): Promise<Answer> {
    const answer = await fetch(url + address, {
      method,
      headers: { 'x-api-key': quickstart.api_key, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
    return (answer.status === 204 ? undefined : await answer.json()) as Answer
  }

  async function get(address: URL): Promise<Buffer> {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`${address.pathname} answered ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }

  return {
    async send(file: string, quality: string): Promise<string> {
      const begun = await call<BegunVideo>('POST', '/videos/upload/init', {
        file_name: path.basename(file),
        video_quality: quality,
      })
      const sent = await fetch(direct(begun.video_presigned_url), {
        method: 'PUT',
        headers: { 'content-length': String(statSync(file).size) },
        body: createReadStream(file) as never,
        duplex: 'half',
      } as RequestInit)
      if (!sent.ok) throw new Error(`PUT answered ${sent.status}`)
      return begun.video_id
    },

    async complete(videoId: string): Promise<{ video: Video; playlist: URL }> {
      const video = await call<Video>('POST', '/videos/upload/complete', { video_id: videoId })
      return { video, playlist: new URL(`${direct(video.file.url)}/master.m3u8`) }
    },

    show: (videoId: string) => call<Video>('GET', `/videos/${videoId}`),
    remove: (videoId: string) => call<void>('DELETE', `/videos/${videoId}`),
    progress: (videoId: string) => call<Progress>('GET', `/videos/${videoId}/progress`),

    async untilAllIsMade(videoId: string): Promise<Progress> {
      for (;;) {
        const progress = await call<Progress>('GET', `/videos/${videoId}/progress`)
        if (progress.status === 'failed') throw new Error(progress.reason)
        if (progress.status === 'complete') return progress
        await sleep(100)
      }
    },

    /** The first picture and sound, decoded. */
    async playFirst(playlist: URL, rendition: string): Promise<void> {
      const decode = async (name: string) => {
        await get(new URL(`${name}/index.m3u8`, playlist))
        const [init, first] = await Promise.all(
          ['init.mp4', '0.m4s'].map((part) => get(new URL(`${name}/${part}`, playlist))),
        )
        const file = path.join(folder, `${name}.mp4`)
        await writeFile(file, Buffer.concat([init!, first!]))
        const { stdout } = await exec('ffprobe', [
          '-v',
          'error',
          '-count_frames',
          '-show_streams',
          '-i',
          file,
        ])
        if (!/nb_read_frames=[1-9]/.test(stdout)) throw new Error('nothing was decoded')
      }
      await get(playlist)
      await Promise.all([decode(rendition), decode('a0')])
    },

    /** A player that takes one segment after the other. */
    async playAll(playlist: URL, rendition: string, segments: number): Promise<void> {
      await get(playlist)
      for (const name of [rendition, 'a0']) {
        await get(new URL(`${name}/index.m3u8`, playlist))
        await get(new URL(`${name}/init.mp4`, playlist))
      }
      for (let number = 0; number < segments; number++)
        await Promise.all([rendition, 'a0'].map((name) => get(new URL(`${name}/${number}.m4s`, playlist))))
    },

    async segmentsMade(): Promise<number> {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(/^marquee_segments_made_total (\d+)/m.exec(metrics)![1])
    },
  }
}
