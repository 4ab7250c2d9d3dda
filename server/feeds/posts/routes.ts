import { type Static, Type } from 'typebox'
import { resolveProject, type StorageDeps } from '../../access/index.ts'
import type { Caller } from '../../base/caller.ts'
import type { ProjectId } from '../../base/ids.ts'
import { CACHE_HEADERS, NOT_CHANGED, sendCached } from '../../http/cached-response.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { UploadDeps } from '../../uploads/index.ts'
import {
  findPostsOfProject,
  listPostsOfProject,
  type ReadFeedDeps,
  showPostOfProject,
  showPublicFeed,
  showPublished,
} from '../reading/read-feed.ts'
import { FeedQuery, OneFeed } from '../schemas.ts'
import { beginPost } from './begin-post.ts'
import { changePost, deletePost } from './change-posts.ts'
import { type CompletePostDeps, completePost } from './complete-post.ts'
import { movePost } from './move-post.ts'
import {
  BegunPost,
  FeedPosts,
  NewPost,
  OnePost,
  OnePostOfProject,
  Post,
  PostChanges,
  PostCompletion,
  PostMove,
  PostPage,
  PostQuery,
  PostsOfProject,
  PostsWanted,
  ProjectPost,
  ProjectPostPage,
} from './schemas.ts'

const tag = 'Posts'
const errors = { 404: 'Not Found' }
const POSTS = '/posts/v1/projects/:projectId/feeds/:feedId/posts'

export type PostDeps = CompletePostDeps & ReadFeedDeps & UploadDeps & StorageDeps

export function postRoutes(deps: PostDeps): (app: App) => void {
  const scopeOf = (request: { caller: Caller; params: { projectId: ProjectId } }) =>
    resolveProject(request.caller, request.params.projectId, deps.sql)

  return (app) => {
    app.get(
      '/posts/v1/feeds/:feedId',
      operation({
        tag,
        id: 'listPublicPosts',
        summary: 'Read the published posts of a public feed, newest first, without credentials',
        description: 'A feed is public where its `visibility` says so. Otherwise it is read with a key.',
        credential: 'none',
        limit: 'public',
        errors: { ...errors, 412: 'Precondition Failed' },
        request: { params: OneFeed, querystring: FeedQuery },
        answers: { 200: ref(PostPage), 304: NOT_CHANGED },
        sends: CACHE_HEADERS,
      }),
      async (request, reply) => {
        const wanted = { feedId: request.params.feedId, page: request.query }
        return sendCached(request, reply, await showPublicFeed(wanted, deps), { isPublic: true })
      },
    )

    app.get(
      '/posts/v1/feeds/:feedId/:postId',
      operation({
        tag,
        id: 'getPublicPost',
        summary: 'Read a published post, without credentials',
        credential: 'none',
        limit: 'public',
        errors: { ...errors, 412: 'Precondition Failed' },
        request: { params: OnePost },
        answers: { 200: ref(Post), 304: NOT_CHANGED },
        sends: CACHE_HEADERS,
        cached: (params) => showPublished(params as Static<typeof OnePost>, deps),
      }),
      async (request, reply) => {
        const { feedId, postId } = request.params
        return sendCached(request, reply, await showPublished({ feedId, postId }, deps), { isPublic: true })
      },
    )

    app.post(
      `${POSTS}/upload/init`,
      operation({
        tag,
        id: 'initPost',
        summary: 'Make a draft, and ask for addresses to upload what it is to show',
        errors,
        request: { params: FeedPosts, body: NewPost },
        answers: { 201: ref(BegunPost) },
      }),
      async (request, reply) => {
        const wanted = { feedId: request.params.feedId, wanted: request.body }
        return reply.code(201).send(await beginPost(request.caller, await scopeOf(request), wanted, deps))
      },
    )

    app.post(
      `${POSTS}/upload/complete`,
      operation({
        tag,
        id: 'completePost',
        summary: 'Publish a draft whose content was uploaded',
        errors: { ...errors, 413: 'Payload Too Large' },
        request: { params: FeedPosts, body: PostCompletion },
        answers: { 200: ref(Post) },
      }),
      async (request) => {
        const wanted = { feedId: request.params.feedId, postId: request.body.post_id }
        return completePost(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.get(
      POSTS,
      operation({
        tag,
        id: 'listPosts',
        summary: 'List the posts of a feed, or its drafts',
        errors,
        request: { params: FeedPosts, querystring: PostQuery },
        answers: { 200: ref(ProjectPostPage) },
      }),
      async (request) => {
        const { status, ...page } = request.query
        const wanted = { feedId: request.params.feedId, published: status === 'published', page }
        return listPostsOfProject(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.get(
      '/posts/v1/projects/:projectId/posts',
      operation({
        tag,
        id: 'findPosts',
        summary: 'Read posts of any feeds of the project by their ids, or look for them',
        description:
          'In the order of `ids`, or for `q` newest first. What is not there, or in a feed that was deleted, is left out: figures outlive what they are about.',
        errors,
        request: { params: PostsOfProject, querystring: PostsWanted },
        answers: { 200: ref(ProjectPostPage) },
      }),
      async (request) => findPostsOfProject(request.caller, await scopeOf(request), request.query, deps),
    )

    app.get(
      `${POSTS}/:postId`,
      operation({
        tag,
        id: 'getPost',
        summary: 'Read a post, also while it is a draft',
        errors,
        request: { params: OnePostOfProject },
        answers: { 200: ref(ProjectPost) },
      }),
      async (request) => showPostOfProject(request.caller, await scopeOf(request), request.params, deps),
    )

    app.patch(
      `${POSTS}/:postId`,
      operation({
        tag,
        id: 'updatePost',
        summary: 'Change a post’s description or creator, publish it, or make a draft of it again',
        description:
          'A post that becomes a draft is gone for readers at once, and keeps its place for when it is published again. 409 where a draft is to be published whose content is not there yet: complete its upload.',
        errors: { ...errors, 409: 'Conflict' },
        request: { params: OnePostOfProject, body: PostChanges },
        answers: { 200: ref(Post) },
      }),
      async (request) => {
        const { feedId, postId } = request.params
        const wanted = { feedId, postId, changes: request.body }
        return changePost(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.post(
      `${POSTS}/:postId/move`,
      operation({
        tag,
        id: 'movePost',
        summary: 'Move a published post to right before or right after another of its feed',
        description:
          'As readers see them: what is `before` is read first. One of the two is given. 409 for a draft, which has no place among published posts yet.',
        errors: { ...errors, 409: 'Conflict' },
        request: { params: OnePostOfProject, body: PostMove },
        answers: { 200: ref(Post) },
      }),
      async (request) => {
        const { feedId, postId } = request.params
        const wanted = { feedId, postId, move: request.body }
        return movePost(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.delete(
      `${POSTS}/:postId`,
      operation({
        tag,
        id: 'deletePost',
        summary: 'Take a post out of its feed; what it shows stays',
        errors,
        request: { params: OnePostOfProject },
        answers: { 204: Type.Null() },
      }),
      async (request, reply) => {
        await deletePost(request.caller, await scopeOf(request), request.params, deps)
        return reply.code(204).send(null)
      },
    )
  }
}
