import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../access/index.ts'
import { CACHE_HEADERS, NOT_CHANGED, sendCached } from '../http/cached-response.ts'
import { operation } from '../http/operation.ts'
import { PageQuery } from '../http/pagination.ts'
import { contentOf, Id, ref } from '../http/schemas.ts'
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
import { AddedContent, OnePost, Post, PostPage } from './posts/schemas.ts'
import { type ReadFeedDeps, showFeed, showPost } from './reading/read-feed.ts'
import {
  CreatorId,
  CreatorQuery,
  Feed,
  FeedChanges,
  FeedList,
  FeedQuery,
  NewContent,
  NewFeed,
  OneFeed,
} from './schemas.ts'

const tag = 'Feeds'
const NOT_READ = { 404: 'Not Found', 412: 'Precondition Failed' }

export function feedRoutes(deps: PostDeps & ReadFeedDeps & DeleteFeedDeps): (app: App) => void {
  const scopeOf = (request: Parameters<typeof projectOf>[0]) => projectOf(request, deps.sql)

  return (app) => {
    postRoutes(deps)(app)

    app.post(
      '/feeds',
      operation({
        tag,
        id: 'createFeed',
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
        id: 'listFeeds',
        summary: 'List the feeds of the project, newest first',
        request: { headers: ProjectHeader, querystring: PageQuery },
        answers: { 200: ref(FeedList) },
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
        id: 'updateFeed',
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
        id: 'deleteFeed',
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
        id: 'addContent',
        summary: 'Add media to a feed, each as a published post: all of it or nothing',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneFeed, body: NewContent },
        answers: { 200: ref(AddedContent) },
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
        id: 'listFeedPosts',
        summary: 'Read the published posts of a feed, newest first',
        description:
          'By `limit` and `offset`, or, for endless scrolling, by `cursor`: then no post is seen twice and none is skipped, whatever comes and goes meanwhile. Whoever prefers RSS by `Accept` gets the RSS of a public feed, without credentials.',
        errors: { 400: 'Invalid feed ID or query parameters', ...NOT_READ },
        request: { headers: ProjectHeader, params: OneFeed, querystring: FeedQuery },
        answers: {
          200: contentOf<PostPage>('the posts', {
            'application/json': ref(PostPage),
            'application/rss+xml': { type: 'string', format: 'binary' },
          }),
          304: NOT_CHANGED,
        },
        sends: [...CACHE_HEADERS, 'Vary'],
        otherForm: { types: ['application/rss+xml', 'application/xml', 'text/xml'], end: '/rss' },
      }),
      async (request, reply) => {
        const wanted = { feedId: request.params.feedId, page: request.query }
        return sendCached(
          request,
          reply,
          await showFeed(request.caller, await scopeOf(request), wanted, deps),
        )
      },
    )

    app.get(
      '/feeds/:feedId/info',
      operation({
        tag,
        id: 'getFeed',
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
        id: 'listCreatorPosts',
        summary: 'Read what one creator has published in a feed, newest first',
        errors: { 400: 'Invalid feed ID or query parameters', ...NOT_READ },
        request: {
          headers: ProjectHeader,
          params: Type.Object({ feedId: Id('feed'), creatorId: CreatorId }),
          querystring: CreatorQuery,
        },
        answers: { 200: ref(PostPage), 304: NOT_CHANGED },
        sends: CACHE_HEADERS,
      }),
      async (request, reply) => {
        const { feedId, creatorId: creator_id } = request.params
        const wanted = { feedId, page: { ...request.query, creator_id } }
        return sendCached(
          request,
          reply,
          await showFeed(request.caller, await scopeOf(request), wanted, deps),
        )
      },
    )

    app.get(
      '/feeds/:feedId/:postId',
      operation({
        tag,
        id: 'getFeedPost',
        summary: 'Read a published post',
        errors: NOT_READ,
        request: { headers: ProjectHeader, params: OnePost },
        answers: { 200: ref(Post), 304: NOT_CHANGED },
        sends: CACHE_HEADERS,
      }),
      async (request, reply) =>
        sendCached(
          request,
          reply,
          await showPost(request.caller, await scopeOf(request), request.params, deps),
        ),
    )
  }
}
