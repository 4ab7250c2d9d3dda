import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Api } from './api.ts'
import { made } from './video.ts'

/** A minute or so to fill: one rung to be encoded, one whose every segment is copied from several groups, and sound. */
export const film = (seconds = 60) =>
  made(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=size=640x480:rate=25:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-sc_threshold', '0'],
      ...['-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ],
    'mp4',
  )

interface Progress {
  status: 'processing' | 'complete' | 'failed'
  reason?: string
  renditions: { name: string; segments: number; segments_made: number }[]
}

export async function progressOf(api: Api, videoId: string): Promise<Progress> {
  const { status, body } = await api.get(`/videos/${videoId}/progress`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}

export async function segmentsMade(api: Api, videoId: string): Promise<number> {
  const { renditions } = await progressOf(api, videoId)
  return renditions.reduce((sum, one) => sum + one.segments_made, 0)
}

/** The progress once nothing more will come. A service that is not available for now is asked again. */
export async function whenSettled(api: Api, videoId: string): Promise<Progress> {
  for (;;) {
    const { status, body } = await api.get(`/videos/${videoId}/progress`)
    expect([200, 503]).toContain(status)
    if (status === 200 && body.status !== 'processing') return body
    await sleep(100)
  }
}

/** Where a service delivers a video, whatever its address was when the video was made. */
export const addressAt = (service: { url: string }, video: { file: { url: string } }) =>
  service.url + new URL(video.file.url).pathname
