import { startNginx } from './baselines/nginx.ts'
import { makePhoto } from './support/photo.ts'
import { announce, compareRates, ignoreBody } from './support/rates.ts'
import { print } from './support/report.ts'
import { startService } from './support/service.ts'
import { uploaderTo } from './support/upload.ts'

const CONNECTIONS = 16

/** One AVIF from the service's own address, beside nginx with the same bytes in a file. */
export async function run(): Promise<void> {
  const service = await startService({
    MARQUEE_ROLES: 'api',
    MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000000',
  })
  const uploader = uploaderTo(service)
  const photo = await makePhoto(1792, 1344)
  const url = await uploader.complete(await uploader.send(photo.jpeg))
  const content = await download(url)

  print(`delivery: one AVIF of ${Math.round(content.length / 1000)} KB`)
  announce('delivery', CONNECTIONS)
  const nginx = await startNginx({ name: 'photo.avif', content })
  if (nginx) {
    if (!content.equals(await download(nginx.url))) throw new Error('the two servers answer differently')
    await compareRates(
      url,
      { name: 'nginx', url: nginx.url },
      {
        what: 'GET {cdn}/{project}/{file}',
        connections: CONNECTIONS,
        atLeast: 0.35,
        setupClient: ignoreBody,
        remark: (rate) => ` (${Math.round((rate * content.length) / 1e6)} MB/s)`,
      },
    )
    await nginx.stop()
  }
  await service.stop()
}

async function download(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}
