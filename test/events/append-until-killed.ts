import { openSpool } from '../../server/platform/events/spool/open-spool.ts'

/** Appends from many sides at once, says what was taken, and never ends: for a test that kills it. */
const [folder, prefix] = process.argv.slice(2)
const spool = await openSpool(folder!, { segmentBytes: 20_000, segmentSeconds: 3600, maxBytes: 2 ** 40 })

async function appendForever(writer: number): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `${prefix}-${writer}-${i}`
    const length = 1 + ((writer * 31 + i * 17) % 400)
    await spool.append(`{"name":"${name}","fill":"${'x'.repeat(length)}"}`)
    process.stdout.write(`${name}\n`)
  }
}

for (let writer = 0; writer < 8; writer++) appendForever(writer)
