import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { FrameReader, frameHead } from '../../frames.ts'
import { UnsupportedImage } from '../errors.ts'
import type { ImageAnswer, ImageTask } from '../protocol.ts'
import { convert } from './convert.ts'
import { resize } from './resize.ts'

// Standard output carries answers; what a library has to say must not get in between.
console.log = console.info = console.warn = console.error = () => {}

try {
  // Where memory runs out, this is the process to end, not the service or its database.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {}

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
})
sharp.cache(false)
sharp.concurrency(Number(process.env.IMAGE_THREADS))

const requests = new FrameReader(process.stdin)
for (let request = await requests.next(); request; request = await requests.next()) {
  const bytes = Buffer.allocUnsafeSlow(request.payloadBytes)
  let filled = 0
  for await (const chunk of requests.payload(bytes.length)) filled += chunk.copy(bytes, filled)
  process.stdout.write(frameHead({ outcome: 'begun' } satisfies ImageAnswer, 0))
  const { answer, data } = await handle(request.header as ImageTask, bytes)
  process.stdout.write(frameHead(answer, data.length))
  process.stdout.write(data)
}

async function handle(task: ImageTask, bytes: Buffer): Promise<{ answer: ImageAnswer; data: Buffer }> {
  try {
    const { data, ...result } = await (task.operation === 'convert'
      ? convert(bytes, task)
      : resize(bytes, task))
    return { answer: { outcome: 'done', ...result }, data }
  } catch (error) {
    const nothing = Buffer.alloc(0)
    if (error instanceof UnsupportedImage)
      return { answer: { outcome: 'unsupported', reason: error.message }, data: nothing }
    return { answer: { outcome: 'failed' }, data: nothing }
  }
}
