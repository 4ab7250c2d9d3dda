import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
import { orderedBy, type Page, pageProperties } from '../http/pagination.ts'
import {
  AnsweredId,
  EXAMPLE_TIME,
  exampleOf,
  Id,
  Name,
  named,
  Pagination,
  Prose,
  ref,
  Timestamp,
} from '../http/schemas.ts'

const Visibility = Type.Unsafe<'public' | 'private'>({
  type: 'string',
  enum: ['public', 'private'],
  description:
    '`public`: everybody may list its posts, also as RSS and in an embedded page. `private`, the default: who has a key.',
})

const choices = {
  allow_images: Type.Optional(Type.Boolean()),
  allow_videos: Type.Optional(Type.Boolean()),
  has_likes: Type.Optional(Type.Boolean()),
  has_shares: Type.Optional(Type.Boolean()),
  has_comments: Type.Optional(Type.Boolean()),
  visibility: Type.Optional(Visibility),
}

export const Feed = named(
  'Feed',
  Type.Object({
    id: AnsweredId<'feed'>(),
    project_id: AnsweredId<'project'>(),
    name: Type.String(),
    description: Type.String(),
    allow_images: Type.Boolean({ description: 'whether posts may show images' }),
    allow_videos: Type.Boolean({ description: 'whether posts may show videos' }),
    has_likes: Type.Boolean(),
    has_shares: Type.Boolean(),
    has_comments: Type.Boolean(),
    visibility: Type.Optional(
      Type.Unsafe<'public'>({ type: 'string', enum: ['public'], description: 'absent where it is private' }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: exampleId('feed'),
    project_id: exampleId('project'),
    name: 'News',
    description: 'From the harbour',
    allow_images: true,
    allow_videos: true,
    has_likes: true,
    has_shares: true,
    has_comments: true,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
)
export type Feed = Static<typeof Feed>

export const FeedList = named(
  'FeedList',
  Type.Object({ data: Type.Array(ref(Feed)), pagination: ref(Pagination) }),
  { data: [exampleOf(Feed)], pagination: exampleOf(Pagination) },
)

export const NewFeed = named(
  'NewFeed',
  Type.Object({ name: Name, description: Type.Optional(Prose), ...choices }),
  { name: 'News', description: 'From the harbour' },
)
export type NewFeed = Static<typeof NewFeed>

export const FeedChanges = named(
  'FeedChanges',
  Type.Object({ name: Type.Optional(Name), description: Type.Optional(Prose), ...choices }),
  { description: 'From the harbour and the sea', has_comments: false },
)
export type FeedChanges = Static<typeof FeedChanges>

export const OneFeed = Type.Object({ feedId: Id('feed') })

/** An app's own name for whoever made a post: any text that PostgreSQL can keep. */
export const CreatorId = Type.String({ maxLength: 256, pattern: '^[^\\x00]*$', examples: ['ada'] })

const scrolled = {
  ...pageProperties,
  ...orderedBy('created_at', 'desc'),
  cursor: Type.Optional(
    Type.String({ maxLength: 400, description: 'from `pagination.next_cursor`; instead of `offset`' }),
  ),
}

/** How readers of a feed say where they are. */
export const feedPageProperties = { ...scrolled, creator_id: Type.Optional(CreatorId) }

export interface FeedPage extends Page {
  creator_id?: string
  cursor?: string
}

export const FeedQuery = Type.Unsafe<FeedPage>(Type.Object(feedPageProperties))
export const CreatorQuery = Type.Unsafe<Omit<FeedPage, 'creator_id'>>(Type.Object(scrolled))

export const NewContent = named(
  'NewContent',
  Type.Object({
    content_ids: Type.Array(Type.Union([Id('image'), Id('video')]), { minItems: 1, maxItems: 100 }),
    content_type: Type.Unsafe<'video' | 'image' | 'mixed'>({
      type: 'string',
      enum: ['video', 'image', 'mixed'],
      description: 'what the ids may be of',
    }),
    creator_id: Type.Optional(CreatorId),
    description: Type.Optional(Prose),
  }),
  { content_ids: [exampleId('video'), exampleId('image')], content_type: 'mixed', creator_id: 'ada' },
)
export type NewContent = Static<typeof NewContent>
