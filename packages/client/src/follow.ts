import type { Schemas } from './api-types.ts'
import type { Client } from './client.ts'
import { backoff, sleep } from './retry.ts'

/**
 * How far the processing of a video has come, each time it is further, until it is complete or has failed. A connection
 * that is cut is made again, however long the service is away: only a refusal or the signal ends it. What has been told
 * already is not told twice.
 */
export async function* follow(
  client: Client,
  videoId: string,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<Schemas['VideoProgress'], void, undefined> {
  const request = {
    path: { videoId },
    headers: { accept: 'text/event-stream' },
    retries: Infinity,
    signal,
  }
  let last = ''
  for (let cuts = 0; ; cuts++) {
    const stream = await client.send('get', '/videos/{videoId}/progress', request, async ({ body }) => body!)
    for await (const data of eventsOf(stream)) {
      cuts = 0
      if (data === last) continue
      last = data
      const progress = JSON.parse(data) as Schemas['VideoProgress']
      yield progress
      if (progress.status !== 'processing') return
    }
    signal?.throwIfAborted()
    await sleep(backoff(cuts), signal)
  }
}

/** The data of each event, until the stream ends or is cut. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (true) {
      // What was read so far counts; whoever follows comes back for the rest.
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
      if (done) return
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = /^data: ?(.*)/m.exec(event)
        if (data) yield data[1]!
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
