import { makePhoto } from './support/photo.ts'
import { announce, compareRates, ignoreBody } from './support/rates.ts'
import { print } from './support/report.ts'
import { startService } from './support/service.ts'
import { type Service, uploaderTo } from './support/upload.ts'

const CONNECTIONS = 16

/** One picture for those who show a token, beside the same for everybody. */
export async function run(): Promise<void> {
  const service = await startService({
    MARQUEE_ROLES: 'api',
    MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000000',
  })
  const uploader = uploaderTo(service)
  for (const [width, height] of [
    [320, 240],
    [1792, 1344],
  ] as const) {
    const photo = await makePhoto(width, height)
    const open = await uploader.complete(await uploader.send(photo.jpeg))
    const imageId = await uploader.send(photo.jpeg)
    const closed = await uploader.complete(imageId)
    const token = await makePrivate(service, imageId)
    if ((await fetch(closed)).status !== 403) throw new Error('it is not private')
    print(`private: one AVIF of a picture of ${width}×${height}`)
    announce('private', CONNECTIONS)
    await compareRates(
      `${closed}?token=${token}`,
      { name: 'public', url: open },
      {
        what: 'GET {cdn}/{project}/{file}?token=',
        connections: CONNECTIONS,
        atLeast: 0.9,
        setupClient: ignoreBody,
      },
    )
  }
  await service.stop()
}

async function makePrivate({ url, quickstart }: Service, imageId: string): Promise<string> {
  const headers = { 'x-api-key': quickstart.api_key, 'content-type': 'application/json' }
  const body = JSON.stringify({ visibility: 'private' })
  const changed = await fetch(`${url}/images/${imageId}`, { method: 'PATCH', headers, body })
  if (!changed.ok) throw new Error(await changed.text())
  const made = await fetch(`${url}/images/${imageId}/playback-token`, { method: 'POST', headers, body: '{}' })
  return ((await made.json()) as { token: string }).token
}
