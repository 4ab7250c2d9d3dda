import { type Static, Type } from 'typebox'
import { VideoQuality } from '../../access/index.ts'
import { PLANS } from '../../base/caller.ts'
import { exampleId } from '../../base/ids.ts'
import { File, uploadProperties } from '../../http/file-schemas.ts'
import { type Page, pageProperties } from '../../http/pagination.ts'
import {
  AnsweredId,
  CursorPagination,
  EXAMPLE_TIME,
  EXAMPLE_UPLOAD_URL,
  exampleOf,
  Id,
  Ids,
  named,
  Prose,
  ref,
  Timestamp,
} from '../../http/schemas.ts'
import { FileName, Image } from '../../images/index.ts'
import { Video } from '../../videos/index.ts'
import { CreatorId, type FeedPage, feedPageProperties } from '../schemas.ts'

const { created_at: _created, updated_at: _updated, ...fileFields } = File.properties
const { created_at: _fileCreated, updated_at: _fileUpdated, ...fileExample } = exampleOf(File)
const PostFile = named('PostFile', Type.Object(fileFields), fileExample)

// What a post says is its own description, and what an app keeps about its media is for the app.
const { description: _ofImage, metadata: _keptOfImage, ...imageFields } = Image.properties
const { description: _ofVideo, metadata: _keptOfVideo, ...videoFields } = Video.properties

const PostImage = named('PostImage', Type.Object({ ...imageFields, file: ref(PostFile) }), {
  ...exampleOf(Image),
  file: exampleOf(PostFile),
})
export type PostImage = Static<typeof PostImage>

const PostVideo = named(
  'PostVideo',
  Type.Object({ ...videoFields, file: ref(PostFile), poster: ref(PostImage) }),
  {
    ...exampleOf(Video),
    file: { ...exampleOf(PostFile), name: 'harbour.mp4', format: 'hls', size: 18874368 },
    poster: { ...exampleOf(PostImage), attached_to_video: true },
  },
)
export type PostVideo = Static<typeof PostVideo>

export const Post = named(
  'Post',
  Type.Object({
    id: AnsweredId<'post'>(),
    feed_id: AnsweredId<'feed'>(),
    creator_id: Type.String(),
    description: Type.String(),
    type: Type.Unsafe<'video' | 'image'>({ type: 'string', enum: ['video', 'image'] }),
    image_id: Type.Optional(AnsweredId<'image'>()),
    image: Type.Optional(ref(PostImage)),
    video_id: Type.Optional(AnsweredId<'video'>()),
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
  {
    id: exampleId('post'),
    feed_id: exampleId('feed'),
    creator_id: 'ada',
    description: 'The harbour in the morning',
    type: 'image',
    image_id: exampleId('image'),
    image: exampleOf(PostImage),
    plan_type: 'custom',
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
)
export type Post = Static<typeof Post>

/** A post for those who make it. */
export const ProjectPost = named(
  'ProjectPost',
  Type.Object({
    ...Post.properties,
    published: Type.Boolean({ description: 'false: a draft, which only the project’s own people see' }),
  }),
  { ...exampleOf(Post), published: true },
)
export type ProjectPost = Static<typeof ProjectPost>

export const PostPage = named(
  'PostPage',
  Type.Object({ data: Type.Array(ref(Post)), pagination: ref(CursorPagination) }),
  { data: [exampleOf(Post)], pagination: exampleOf(CursorPagination) },
)
export type PostPage = Static<typeof PostPage>

export const ProjectPostPage = named(
  'ProjectPostPage',
  Type.Object({ data: Type.Array(ref(ProjectPost)), pagination: ref(CursorPagination) }),
  { data: [exampleOf(ProjectPost)], pagination: exampleOf(CursorPagination) },
)
export type ProjectPostPage = Static<typeof ProjectPostPage>

/** Shorter parts are in no index. */
const SHORTEST_SEARCH = 3

const MeantFormat = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What the client means to send; the content decides.',
})

/** What media that was added to a feed has become. */
export const AddedContent = named(
  'AddedContent',
  Type.Object({ feed_id: AnsweredId<'feed'>(), data: Type.Array(ref(Post)) }),
  { feed_id: exampleId('feed'), data: [exampleOf(Post)] },
)

export const NewPost = named(
  'NewPost',
  Type.Object({
    content_type: Type.Unsafe<'image' | 'video'>({ type: 'string', enum: ['image', 'video'] }),
    file_name: FileName,
    format: MeantFormat,
    creator_id: Type.Optional(CreatorId),
    description: Type.Optional(Prose),
    image_format: Type.Optional(
      Type.String({ maxLength: 100, description: 'Of an image or a poster, likewise.' }),
    ),
    video_quality: Type.Optional(VideoQuality),
    ...uploadProperties,
  }),
  { content_type: 'video', file_name: 'harbour.mp4', format: 'mp4', creator_id: 'ada' },
)
export type NewPost = Static<typeof NewPost>

export const BegunPost = named(
  'PostUpload',
  Type.Object({
    post_id: AnsweredId<'post'>(),
    content_id: Type.String(),
    content_upload_url: Type.String(),
    poster_id: Type.Optional(Type.String({ description: 'of a video' })),
    poster_upload_url: Type.Optional(Type.String({ description: 'of a video' })),
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
  {
    post_id: exampleId('post'),
    content_id: exampleId('video'),
    content_upload_url: EXAMPLE_UPLOAD_URL,
    poster_id: exampleId('image'),
    poster_upload_url: EXAMPLE_UPLOAD_URL,
    upload_expires: 1777890600,
  },
)
export type BegunPost = Static<typeof BegunPost>

export const PostCompletion = named('PostCompletion', Type.Object({ post_id: Id('post') }), {
  post_id: exampleId('post'),
})

export const PostChanges = named(
  'PostChanges',
  Type.Object({
    description: Type.Optional(Prose),
    creator_id: Type.Optional(CreatorId),
    published: Type.Optional(
      Type.Boolean({
        description: 'false makes a draft of it; true publishes a draft whose content is there',
      }),
    ),
  }),
  { description: 'The harbour at noon' },
)
export type PostChanges = Static<typeof PostChanges>

export const PostMove = named(
  'PostMove',
  Type.Object({
    before: Type.Optional(Id('post')),
    after: Type.Optional(Id('post')),
  }),
  { before: exampleId('post') },
)
export type PostMove = Static<typeof PostMove>

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

/** Posts of all feeds, by their ids or by what they say. */
export const PostsWanted = Type.Unsafe<Page & { ids?: string; q?: string }>(
  Type.Object({
    ids: Type.Optional(Ids('post')),
    q: Type.Optional(
      Type.String({
        minLength: SHORTEST_SEARCH,
        maxLength: 200,
        pattern: '^[^\\x00-\\x1f\\x7f]*$',
        description: `instead of \`ids\`: ${SHORTEST_SEARCH} letters or more that are in the description, in upper or lower case, or in what finds the video or image in the library`,
      }),
    ),
    ...pageProperties,
  }),
)
export const PostsOfProject = Type.Object({ projectId: Id('project') })
