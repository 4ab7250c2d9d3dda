import { listTrashedProjects, type ProjectScope, purgeProjects, restoreProject } from '../access/index.ts'
import { enqueueErasure } from '../analytics/index.ts'
import { OPERATOR } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import { millisecondsOf } from '../base/rfc3339.ts'
import { listTrashedFeeds, purgeFeeds, restoreFeed } from '../feeds/index.ts'
import { listTrashedImages, purgeImage, restoreImage } from '../images/index.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { enqueueFill } from '../transcoding/index.ts'
import { purgeFiles } from '../uploads/index.ts'
import {
  fillProject,
  listTrashedVideos,
  purgeVideo,
  type RestoreDeps,
  restoreVideo,
} from '../videos/index.ts'
import type { Command, Context } from './command.ts'

const ID = { about: 'What it is about: a project, feed, video or image', value: 'id' }

/** How something is brought back, and how it goes for good. */
interface Trashed {
  restore(context: Context): Promise<void>
  purge(context: Context): Promise<boolean>
}

/** Something in the trash, told by how its id begins. */
function trashed(id: string): Trashed {
  if (isId('project', id))
    return {
      async restore(context) {
        await restoreProject(OPERATOR, id, context.sql)
        await fillProject(OPERATOR, id, depsOf(context))
      },
      purge: async (context) => (await purgeProjects(purgeDepsOf(context), { seconds: 0, only: id })) > 0,
    }
  if (isId('feed', id))
    return {
      restore: (context) => restoreFeed(OPERATOR, id, depsOf(context)),
      purge: async (context) => (await purgeFeeds(depsOf(context), { seconds: 0, only: id })) > 0,
    }
  if (isId('video', id))
    return {
      restore: (context) => restoreVideo(OPERATOR, id, depsOf(context)),
      purge: ({ sql }) => purgeVideo(OPERATOR, id, sql),
    }
  if (isId('image', id))
    return {
      restore: (context) => restoreImage(OPERATOR, id, depsOf(context)),
      purge: ({ sql }) => purgeImage(OPERATOR, id, sql),
    }
  throw new StartupError(`--id "${id}" is not the id of a project, feed, video or image.`)
}

function depsOf({ sql, trash: { storageLimits, jobs } }: Context): RestoreDeps & { jobs: typeof jobs } {
  return { sql, storageLimits, jobs, fill: (tx, file) => enqueueFill(jobs, tx, file) }
}

/** A project's events are no rows that go with it: a job deletes them. */
export function purgeDepsOf({ sql, trash: { jobs } }: Context) {
  return { sql, onPurge: (tx: Transaction, project: ProjectScope) => enqueueErasure(jobs, tx, project) }
}

export const trashCommands: Command[] = [
  {
    name: 'trash list',
    about: 'List what was deleted and can be brought back',
    options: {},
    async run({ sql, trash }) {
      const lists = [listTrashedProjects, listTrashedFeeds, listTrashedVideos, listTrashedImages]
      const items = (await Promise.all(lists.map((list) => list(OPERATOR, sql)))).flat()
      return items
        .toSorted((one, other) => millisecondsOf(other.deleted_at) - millisecondsOf(one.deleted_at))
        .map((item) => ({
          ...item,
          kept_until: new Date(millisecondsOf(item.deleted_at) + trash.seconds * 1000).toISOString(),
        }))
    },
  },
  {
    name: 'trash restore',
    about: 'Bring back something that was deleted, with everything that belonged to it',
    options: { id: { ...ID, required: true } },
    async run(context) {
      const id = context.option('id')
      await trashed(id).restore(context)
      return { restored: id }
    },
  },
  {
    name: 'trash empty',
    about: 'Delete what is in the trash for good, now: one thing, or everything',
    options: { id: ID },
    async run(context) {
      const { sql } = context
      const id = context.optional('id')
      if (id) {
        if (!(await trashed(id).purge(context))) throw new StartupError(`there is no ${id} in the trash.`)
        return { gone: id }
      }
      const all = { seconds: 0 }
      const projects = await purgeProjects(purgeDepsOf(context), all)
      return { projects, feeds: await purgeFeeds(depsOf(context), all), files: await purgeFiles(sql, all) }
    },
  },
]
