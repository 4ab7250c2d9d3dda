import type { Schemas } from '@marquee/client'
import { useQueries } from '@tanstack/react-query'
import { clientOf, isStatus } from '../../api.ts'
import { shortId } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'

/** Names of videos, images, posts and feeds by their ids. What was deleted since, or has no name, is called by the end of its id. */
export function useNames(ids: string[]): (id: string) => string {
  const { projectId } = useProject()
  const wanted = [...new Set(ids)].filter(isNamed)
  const names = useQueries({
    queries: wanted.map((id) => ({
      queryKey: ['name', projectId, id],
      staleTime: 300_000,
      queryFn: () => nameOf(projectId, id),
    })),
  })
  return (id) => names[wanted.indexOf(id)]?.data || shortId(id)
}

const SUFFIX = '[0-9a-hjkmnp-tv-z]{26}'

/** Events are about whatever those who send them say. */
export const isNamed = (id: string): boolean => new RegExp(`^(vid|img|post|feed)_${SUFFIX}$`).test(id)

/** As many as an operation takes. */
const AT_ONCE = 100
const GATHER_MS = 10

interface Batch {
  ids: Set<string>
  names: Promise<Map<string, string>>
}

const batches = new Map<string, Batch>()

/** What is wanted in the same moment is asked for in one batch. */
async function nameOf(projectId: string, id: string): Promise<string> {
  const open = batches.get(projectId)
  const batch = open && open.ids.size < AT_ONCE ? open : newBatch(projectId)
  batch.ids.add(id)
  return (await batch.names).get(id) ?? ''
}

function newBatch(projectId: string): Batch {
  const ids = new Set<string>()
  const names = new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(() => {
    if (batches.get(projectId) === batch) batches.delete(projectId)
    return namesOf(projectId, [...ids])
  })
  const batch = { ids, names }
  batches.set(projectId, batch)
  return batch
}

type Named = [id: string, name: string]

async function namesOf(projectId: string, ids: string[]): Promise<Map<string, string>> {
  const of = (kind: string) => ids.filter((id) => id.startsWith(`${kind}_`))
  const found = await Promise.all([
    mediaNames(projectId, 'video', of('vid')),
    mediaNames(projectId, 'image', of('img')),
    postNames(projectId, of('post')),
    ...of('feed').map((id) => feedName(projectId, id)),
  ])
  return new Map(found.flat())
}

async function mediaNames(projectId: string, kind: 'video' | 'image', ids: string[]): Promise<Named[]> {
  if (ids.length === 0) return []
  const query = { kind, ids: ids.join(), limit: AT_ONCE }
  const page = await orNothing(clientOf(projectId).get('/media', { query }))
  return page?.data.map(({ id, name }): Named => [id, name]) ?? []
}

async function postNames(projectId: string, ids: string[]): Promise<Named[]> {
  if (ids.length === 0) return []
  const request = { path: { projectId }, query: { ids: ids.join(), limit: AT_ONCE } }
  const page = await orNothing(clientOf(projectId).get('/posts/v1/projects/{projectId}/posts', request))
  return page?.data.map((post): Named => [post.id, titleOf(post)]) ?? []
}

/** What a post says, or else what it shows. */
function titleOf({ description, video, image }: Schemas['ProjectPost']): string {
  return description.trim().split('\n')[0] || (video ?? image)?.file.name || ''
}

async function feedName(projectId: string, feedId: string): Promise<Named[]> {
  const feed = await orNothing(clientOf(projectId).get('/feeds/{feedId}/info', { path: { feedId } }))
  return feed ? [[feedId, feed.name]] : []
}

/** Events outlive what they are about, and not everybody who sees figures sees everything else. */
async function orNothing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isStatus(error, 403) || isStatus(error, 404)) return undefined
    throw error
  }
}
