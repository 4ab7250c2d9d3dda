import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Api } from './api.ts'
import { videoOf, watchesOf, watching } from './events.ts'
import { type Deed, type Found, isAcknowledged } from './history.ts'
import { uploaderOf } from './media.ts'

interface Served {
  api: Api
  /** Where it is reached, whatever it says of itself. */
  url: string
}

type Answered = Pick<Answer, 'status' | 'headers'>

let events = 0

/** Does things, and writes down what it was answered: nothing, where it was broken off or takes longer than it waits. */
export function historyClient({ api, url }: Served) {
  let patienceMs = 300_000
  const deeds: Deed[] = []
  const { init, put, complete } = uploaderOf(api)

  async function answerTo<T extends Answered>(asked: Promise<T>): Promise<T | undefined> {
    const patience = new AbortController()
    const late = sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)
    const answer = await Promise.race([asked.catch(() => undefined), late])
    patience.abort()
    return answer
  }
  function note(kind: Deed['kind'], id: string | undefined, answer: Answered | undefined): Deed {
    const retryAfter = answer?.headers.get('retry-after') ?? null
    const deed = { kind, id, status: answer?.status, retryAfter }
    deeds.push(deed)
    return deed
  }
  async function sendEvent(): Promise<Deed> {
    const video = videoOf(++events)
    const sent = api.post('/analytics/v1/events', watching(video, 1, { user_id: 'ann' }))
    return note('event', video, await answerTo(sent))
  }
  async function sendImage(photo: Uint8Array<ArrayBuffer>): Promise<Deed> {
    const begun = await answerTo(init())
    if (begun?.status !== 200) return note('image', undefined, begun)
    const { image_id, presigned_url } = begun.body
    const sent = await answerTo(put(at(url, presigned_url), photo))
    if (sent?.status !== 200) return note('image', image_id, sent)
    return note('image', image_id, await answerTo(complete(image_id)))
  }
  return {
    deeds,
    /** One of each; what became of it. */
    async round(photo: Uint8Array<ArrayBuffer>, patience = patienceMs): Promise<Deed[]> {
      patienceMs = patience
      return [await sendEvent(), await sendImage(photo)]
    },
  }
}

/** Those that were not acknowledged, as a test says them. */
export const refusedOf = (deeds: Deed[]) =>
  deeds.filter((deed) => !isAcknowledged(deed)).map(({ kind, status }) => `${kind} ${status}`)

/** All that is there, read back. */
export async function readBack(served: Served, deeds: readonly Deed[]): Promise<Found> {
  const { api } = served
  const images: Found['images'] = new Map()
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = await api.get(`/images?limit=100&offset=${offset}`)
    total = body.pagination.total
    for (const { id } of body.data) images.set(id, { isWhole: await isWhole(served, id) })
  }
  const sent = deeds.flatMap(({ kind, id }) => (kind === 'event' && id ? [id] : []))
  const events = new Map<string, number>()
  for (const video of sent) events.set(video, await watchesOf(api, video))
  return { images, events }
}

/** Whether an image can be had as it is said to be. A smaller encoding may take its place between the two looks. */
async function isWhole({ api, url }: Served, id: string): Promise<boolean> {
  for (let look = 0; look < 5; look++) {
    const { file } = (await api.get(`/images/${id}`)).body
    const answer = await fetch(at(url, file.url))
    const { byteLength } = await answer.arrayBuffer()
    if (answer.status === 200 && byteLength === file.size) return true
  }
  return false
}

const at = (url: string, address: string) => address.replace(/^https?:\/\/[^/]+/, url)
