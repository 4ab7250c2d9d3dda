import { type Static, Type } from 'typebox'
import { VideoQuality } from '../../access/projects/schemas.ts'
import { PLANS } from '../../base/caller.ts'
import { File } from '../../http/file-schemas.ts'
import { Id, named, Pagination, Prose, ref, Timestamp } from '../../http/schemas.ts'
import { FileName, Image } from '../../images/schemas.ts'
import { Video } from '../../videos/schemas.ts'
import { CreatorId, type FeedPage, feedPageProperties } from '../schemas.ts'

const { created_at: _created, updated_at: _updated, ...fileFields } = File.properties
export const PostFile = named('PostFile', Type.Object(fileFields))

export const PostImage = named('PostImage', Type.Object({ ...Image.properties, file: ref(PostFile) }))
export type PostImage = Static<typeof PostImage>

export const PostVideo = named(
  'PostVideo',
  Type.Object({ ...Video.properties, file: ref(PostFile), poster: ref(PostImage) }),
)
export type PostVideo = Static<typeof PostVideo>

export const Post = named(
  'Post',
  Type.Object({
    id: Type.String(),
    feed_id: Type.String(),
    creator_id: Type.String(),
    description: Type.String(),
    type: Type.Unsafe<'video' | 'image'>({ type: 'string', enum: ['video', 'image'] }),
    image_id: Type.Optional(Type.String()),
    image: Type.Optional(ref(PostImage)),
    video_id: Type.Optional(Type.String()),
    video: Type.Optional(ref(PostVideo)),
    plan_type: Type.String({
      enum: [...PLANS],
      description: 'the organization’s plan when the post was made',
    }),
    failure: Type.Optional(
      Type.String({ description: 'of a draft: why it could not be published when that was last tried' }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Post = Static<typeof Post>

/** A post for those who make it. */
export const ProjectPost = named(
  'ProjectPost',
  Type.Object({
    ...Post.properties,
    published: Type.Boolean({ description: 'false: a draft, which only the project’s own people see' }),
  }),
)
export type ProjectPost = Static<typeof ProjectPost>

export const PostPage = named(
  'PostPage',
  Type.Object({
    data: Type.Array(ref(Post)),
    pagination: Type.Object({
      ...Pagination.properties,
      next_cursor: Type.Optional(Type.String({ description: 'absent on the last page' })),
    }),
  }),
)
export type PostPage = Static<typeof PostPage>

export const ProjectPostPage = named(
  'ProjectPostPage',
  Type.Object({ ...PostPage.properties, data: Type.Array(ref(ProjectPost)) }),
)
export type ProjectPostPage = Static<typeof ProjectPostPage>

const MeantFormat = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What the client means to send; the content decides.',
})

export const NewPost = Type.Object({
  content_type: Type.Unsafe<'image' | 'video'>({ type: 'string', enum: ['image', 'video'] }),
  file_name: FileName,
  format: MeantFormat,
  creator_id: Type.Optional(CreatorId),
  description: Type.Optional(Prose),
  image_format: Type.Optional(
    Type.String({ maxLength: 100, description: 'Of an image or a poster, likewise.' }),
  ),
  video_quality: Type.Optional(VideoQuality),
})
export type NewPost = Static<typeof NewPost>

export const BegunPost = named(
  'PostUpload',
  Type.Object({
    post_id: Type.String(),
    content_id: Type.String(),
    content_upload_url: Type.String(),
    poster_id: Type.Optional(Type.String({ description: 'of a video' })),
    poster_upload_url: Type.Optional(Type.String({ description: 'of a video' })),
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
)
export type BegunPost = Static<typeof BegunPost>

export const PostCompletion = Type.Object({ post_id: Id('post') })

export const PostChanges = Type.Object({
  description: Type.Optional(Prose),
  creator_id: Type.Optional(CreatorId),
})
export type PostChanges = Static<typeof PostChanges>

export const FeedPosts = Type.Object({ projectId: Id('project'), feedId: Id('feed') })
export const OnePost = Type.Object({ feedId: Id('feed'), postId: Id('post') })
export const OnePostOfProject = Type.Object({
  projectId: Id('project'),
  feedId: Id('feed'),
  postId: Id('post'),
})

export interface PostList extends FeedPage {
  status: 'published' | 'draft'
}

export const PostQuery = Type.Unsafe<PostList>(
  Type.Object({
    ...feedPageProperties,
    status: Type.Optional(Type.String({ enum: ['published', 'draft'], default: 'published' })),
  }),
)
