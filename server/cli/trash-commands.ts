import { listTrashedProjects, purgeProjects, restoreProject } from '../access/projects/trash.ts'
import { OPERATOR } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import { listTrashedFeeds, purgeFeeds, restoreFeed } from '../feeds/trash.ts'
import { listTrashedImages, purgeImage, restoreImage } from '../images/trash.ts'
import { enqueueFill } from '../playback/hls/fill-video.ts'
import { purgeFiles } from '../uploads/trash.ts'
import {
  fillProject,
  listTrashedVideos,
  purgeVideo,
  type RestoreDeps,
  restoreVideo,
} from '../videos/trash.ts'
import type { Command, Context } from './command.ts'

const ID = { about: 'What it is about: a project, feed, video or image', value: 'id' }

/** How each kind of thing, told by how its id begins, is brought back and goes for good. */
const KINDS: Record<
  string,
  {
    restore(id: string, context: Context): Promise<void>
    purge(id: string, context: Context): Promise<boolean>
  }
> = {
  proj_: {
    async restore(id, context) {
      await restoreProject(OPERATOR, id, context.sql)
      await fillProject(OPERATOR, id, depsOf(context))
    },
    purge: async (only, { sql }) => (await purgeProjects(sql, { seconds: 0, only })) > 0,
  },
  feed_: {
    restore: (id, context) => restoreFeed(OPERATOR, id, depsOf(context)),
    purge: async (only, context) => (await purgeFeeds(depsOf(context), { seconds: 0, only })) > 0,
  },
  vid_: {
    restore: (id, context) => restoreVideo(OPERATOR, id, depsOf(context)),
    purge: (id, { sql }) => purgeVideo(OPERATOR, id, sql),
  },
  img_: {
    restore: (id, context) => restoreImage(OPERATOR, id, depsOf(context)),
    purge: (id, { sql }) => purgeImage(OPERATOR, id, sql),
  },
}

function depsOf({ sql, trash: { storageLimits, jobs } }: Context): RestoreDeps & { jobs: typeof jobs } {
  return { sql, storageLimits, jobs, fill: (tx, file) => enqueueFill(jobs, tx, file) }
}

function kindOf(id: string) {
  const kind = Object.entries(KINDS).find(([prefix]) => id.startsWith(prefix))?.[1]
  if (!kind) throw new StartupError(`--id "${id}" is not the id of a project, feed, video or image.`)
  return kind
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
        .toSorted((one, other) => Date.parse(other.deleted_at) - Date.parse(one.deleted_at))
        .map((item) => ({
          ...item,
          kept_until: new Date(Date.parse(item.deleted_at) + trash.seconds * 1000).toISOString(),
        }))
    },
  },
  {
    name: 'trash restore',
    about: 'Bring back something that was deleted, with everything that belonged to it',
    options: { id: { ...ID, required: true } },
    async run(context) {
      const id = context.option('id')
      await kindOf(id).restore(id, context)
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
        if (!(await kindOf(id).purge(id, context))) throw new StartupError(`there is no ${id} in the trash.`)
        return { gone: id }
      }
      const all = { seconds: 0 }
      const projects = await purgeProjects(sql, all)
      return { projects, feeds: await purgeFeeds(depsOf(context), all), files: await purgeFiles(sql, all) }
    },
  },
]
