import { type Static, Type } from 'typebox'
import type { StorageDeps } from '../../access/projects/require-storage.ts'
import { resolveProject } from '../../access/projects/resolve-project.ts'
import type { Caller } from '../../base/caller.ts'
import { NOT_CHANGED, sendCopy } from '../../http/copies.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { UploadDeps } from '../../uploads/begin-upload.ts'
import { listPostsOfProject, type ReadDeps, showPostOfProject, showPublished } from '../reading/read-feed.ts'
import { beginPost } from './begin-post.ts'
import { changePost, deletePost } from './change-posts.ts'
import { type CompleteDeps, completePost } from './complete-post.ts'
import {
  BegunPost,
  FeedPosts,
  NewPost,
  OnePost,
  OnePostOfProject,
  Post,
  PostChanges,
  PostCompletion,
  PostFile,
  PostImage,
  PostPage,
  PostQuery,
  PostVideo,
  ProjectPost,
  ProjectPostPage,
} from './schemas.ts'

const tag = 'Posts'
const errors = { 404: 'Not Found' }
const POSTS = '/posts/v1/projects/:projectId/feeds/:feedId/posts'

export type PostDeps = CompleteDeps & ReadDeps & UploadDeps & StorageDeps

export function postRoutes(deps: PostDeps): (app: App) => void {
  const scopeOf = (request: { caller: Caller; params: { projectId: string } }) =>
    resolveProject(request.caller, request.params.projectId, deps.sql)

  return (app) => {
    for (const schema of [
      PostFile,
      PostImage,
      PostVideo,
      Post,
      PostPage,
      BegunPost,
      ProjectPost,
      ProjectPostPage,
    ])
      app.addSchema(schema)

    app.get(
      '/posts/v1/feeds/:feedId/:postId',
      operation({
        tag,
        summary: 'Read a published post, without credentials',
        credential: 'none',
        limit: 'public',
        errors: { ...errors, 412: 'Precondition Failed' },
        request: { params: OnePost },
        answers: { 200: ref(Post), 304: NOT_CHANGED },
        copy: (params) => showPublished(params as Static<typeof OnePost>, deps),
      }),
      async (request, reply) => {
        const { feedId, postId } = request.params
        return sendCopy(request, reply, await showPublished({ feedId, postId }, deps), { isPublic: true })
      },
    )

    app.post(
      `${POSTS}/upload/init`,
      operation({
        tag,
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
      `${POSTS}/:postId`,
      operation({
        tag,
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
        summary: 'Change a post’s description or creator',
        errors,
        request: { params: OnePostOfProject, body: PostChanges },
        answers: { 200: ref(Post) },
      }),
      async (request) => {
        const { feedId, postId } = request.params
        const wanted = { feedId, postId, changes: request.body }
        return changePost(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.delete(
      `${POSTS}/:postId`,
      operation({
        tag,
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
