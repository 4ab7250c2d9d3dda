import autocannon from 'autocannon'
import { startNginx } from './baselines/nginx.ts'
import { makePhoto } from './support/photo.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'
import { uploaderTo } from './support/upload.ts'

const ROUNDS = 5
const SECONDS = 4
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

  print(
    `delivery: one AVIF of ${Math.round(content.length / 1000)} KB, ${CONNECTIONS} connections, ` +
      `median of ${ROUNDS} rounds of ${SECONDS} s each, in turn`,
  )
  const nginx = await startNginx({ name: 'photo.avif', content })
  if (nginx) {
    if (!content.equals(await download(nginx.url))) throw new Error('the two servers answer differently')
    await compare(url, nginx.url, content.length)
    await nginx.stop()
  }
  await service.stop()
}

async function compare(url: string, nginxUrl: string, bytes: number): Promise<void> {
  const ours: number[] = []
  const theirs: number[] = []
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const [rate, nginxRate] = [await load(url), await load(nginxUrl)]
    if (round === 0) continue
    ours.push(rate)
    theirs.push(nginxRate)
  }
  const words = (rate: number) => `${Math.round(rate)} requests/s (${Math.round((rate * bytes) / 1e6)} MB/s)`
  const [rate, nginxRate] = [median(ours), median(theirs)]
  print(`  GET {cdn}/{project}/{file}: ${words(rate)}, nginx ${words(nginxRate)}`)
  line('ratio', rate / nginxRate, { atLeast: 0.35 })
}

/** Requests a second. */
async function load(url: string): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient: ignoreBody,
  })
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`)
  return requests.average
}

// autocannon decodes each body as text, which for bytes that are none costs far more than serving them.
function ignoreBody(client: object): void {
  Object.assign((client as { pipelinedRequests: object }).pipelinedRequests, { addBody() {} })
}

async function download(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}
