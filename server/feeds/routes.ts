import { Type } from 'typebox'
import { projectOf } from '../access/projects/resolve-project.ts'
import { ProjectHeader } from '../access/projects/schemas.ts'
import { NOT_CHANGED, sendCopy } from '../http/copies.ts'
import { operation } from '../http/operation.ts'
import { PageQuery } from '../http/pagination.ts'
import { Id, Pagination, ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { addContent } from './add-content.ts'
import {
  changeFeed,
  createFeed,
  type DeleteFeedDeps,
  deleteFeed,
  listFeeds,
  showFeedRecord,
} from './manage-feeds.ts'
import { type PostDeps, postRoutes } from './posts/routes.ts'
import { OnePost, Post, PostPage } from './posts/schemas.ts'
import { type ReadDeps, showFeed, showPost } from './reading/read-feed.ts'
import {
  CreatorId,
  CreatorQuery,
  Feed,
  FeedChanges,
  FeedQuery,
  NewContent,
  NewFeed,
  OneFeed,
} from './schemas.ts'

const tag = 'Feeds'
const NOT_READ = { 404: 'Not Found', 412: 'Precondition Failed' }

export function feedRoutes(deps: PostDeps & ReadDeps & DeleteFeedDeps): (app: App) => void {
  const scopeOf = (request: Parameters<typeof projectOf>[0]) => projectOf(request, deps.sql)

  return (app) => {
    app.addSchema(Feed)
    postRoutes(deps)(app)

    app.post(
      '/feeds',
      operation({
        tag,
        summary: 'Create a feed',
        request: { headers: ProjectHeader, body: NewFeed },
        answers: { 201: ref(Feed) },
      }),
      async (request, reply) =>
        reply.code(201).send(await createFeed(request.caller, await scopeOf(request), request.body, deps)),
    )

    app.get(
      '/feeds',
      operation({
        tag,
        summary: 'List the feeds of the project, newest first',
        request: { headers: ProjectHeader, querystring: PageQuery },
        answers: { 200: Type.Object({ data: Type.Array(ref(Feed)), pagination: ref(Pagination) }) },
      }),
      async (request) => {
        const { feeds, total } = await listFeeds(request.caller, await scopeOf(request), request.query, deps)
        return { data: feeds, pagination: { ...request.query, total } }
      },
    )

    app.put(
      '/feeds/:feedId',
      operation({
        tag,
        summary: 'Change a feed; what is not given stays as it is',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneFeed, body: FeedChanges },
        answers: { 200: ref(Feed) },
      }),
      async (request) => {
        const wanted = { feedId: request.params.feedId, changes: request.body }
        return changeFeed(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.delete(
      '/feeds/:feedId',
      operation({
        tag,
        summary: 'Delete a feed and its posts; the media that they show stays',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneFeed },
        answers: { 204: Type.Null() },
      }),
      async (request, reply) => {
        await deleteFeed(request.caller, await scopeOf(request), request.params.feedId, deps)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/feeds/:feedId/content',
      operation({
        tag,
        summary: 'Add media to a feed, each as a published post: all of it or nothing',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneFeed, body: NewContent },
        answers: { 200: Type.Object({ feed_id: Type.String(), data: Type.Array(ref(Post)) }) },
      }),
      async (request) => {
        const wanted = { feedId: request.params.feedId, content: request.body }
        return addContent(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.get(
      '/feeds/:feedId',
      operation({
        tag,
        summary: 'Read the published posts of a feed, newest first',
        description:
          'By `limit` and `offset`, or, for endless scrolling, by `cursor`: then no post is seen twice and none is skipped, whatever comes and goes meanwhile.',
        errors: { 400: 'Invalid feed ID or query parameters', ...NOT_READ },
        request: { headers: ProjectHeader, params: OneFeed, querystring: FeedQuery },
        answers: { 200: ref(PostPage), 304: NOT_CHANGED },
      }),
      async (request, reply) => {
        const wanted = { feedId: request.params.feedId, page: request.query }
        return sendCopy(request, reply, await showFeed(request.caller, await scopeOf(request), wanted, deps))
      },
    )

    app.get(
      '/feeds/:feedId/info',
      operation({
        tag,
        summary: 'Show a feed itself; its plain address answers its posts',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneFeed },
        answers: { 200: ref(Feed) },
      }),
      async (request) => showFeedRecord(request.caller, await scopeOf(request), request.params.feedId, deps),
    )

    app.get(
      '/feeds/:feedId/creators/:creatorId',
      operation({
        tag,
        summary: 'Read what one creator has published in a feed, newest first',
        errors: { 400: 'Invalid feed ID or query parameters', ...NOT_READ },
        request: {
          headers: ProjectHeader,
          params: Type.Object({ feedId: Id('feed'), creatorId: CreatorId }),
          querystring: CreatorQuery,
        },
        answers: { 200: ref(PostPage), 304: NOT_CHANGED },
      }),
      async (request, reply) => {
        const { feedId, creatorId: creator_id } = request.params
        const wanted = { feedId, page: { ...request.query, creator_id } }
        return sendCopy(request, reply, await showFeed(request.caller, await scopeOf(request), wanted, deps))
      },
    )

    app.get(
      '/feeds/:feedId/:postId',
      operation({
        tag,
        summary: 'Read a published post',
        errors: NOT_READ,
        request: { headers: ProjectHeader, params: OnePost },
        answers: { 200: ref(Post), 304: NOT_CHANGED },
      }),
      async (request, reply) =>
        sendCopy(
          request,
          reply,
          await showPost(request.caller, await scopeOf(request), request.params, deps),
        ),
    )
  }
}
