import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { Visibility } from '../../http/media-schemas.ts'
import { AnsweredId, EXAMPLE_TIME, exampleOf, Id, Name, named, ref, Timestamp } from '../../http/schemas.ts'
import { choiceOf } from '../../http/synonyms.ts'

/** Events have names of their own for the tiers, and generated clients use those everywhere. */
export const VideoQuality = choiceOf(['basic', 'shorts', 'pro'], {
  VIDEO_QUALITY_BASIC: 'basic',
  VIDEO_QUALITY_SHORTS: 'shorts',
  VIDEO_QUALITY_PRO: 'pro',
})

const DomainRecord = named(
  'DomainRecord',
  Type.Object({
    type: Type.String({ enum: ['TXT'] }),
    name: Type.String(),
    value: Type.String(),
  }),
  { type: 'TXT', name: '_marquee.media.example.com', value: 'marquee-domain=a-proof' },
)
export type DomainRecord = Static<typeof DomainRecord>

export const Project = named(
  'Project',
  Type.Object({
    id: AnsweredId<'project'>(),
    name: Type.String(),
    org_id: AnsweredId<'organization'>(),
    custom_domain: Type.String({
      description: 'Where its media is delivered once it is proved. Empty where there is none.',
    }),
    custom_domain_status: Type.Optional(
      Type.Unsafe<'pending' | 'verified'>({
        type: 'string',
        enum: ['pending', 'verified'],
        description: 'Whether a DNS record has proved the domain; absent where there is none.',
      }),
    ),
    custom_domain_record: Type.Optional(ref(DomainRecord)),
    regions: Type.Array(Type.String(), {
      description: 'Names of the installation’s regions; they do not choose where media is kept yet.',
    }),
    notes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What to know about values that were set and do less than they say.',
      }),
    ),
    video_quality: Type.String(),
    default_visibility: Type.Optional(
      Type.Unsafe<Static<typeof Visibility>>({
        ...Visibility,
        description:
          'what new media begins with; absent where nobody has set it, which is the same as `public`',
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: exampleId('project'),
    name: 'Films',
    org_id: exampleId('organization'),
    custom_domain: '',
    regions: [],
    video_quality: 'basic',
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
)
export type Project = Static<typeof Project>

export const ProjectList = named('ProjectList', Type.Object({ projects: Type.Array(ref(Project)) }), {
  projects: [exampleOf(Project)],
})

/** As much of a project as everybody needs to find their way to it. */
const OwnProject = named(
  'OwnProject',
  Type.Object({
    id: AnsweredId<'project'>(),
    name: Type.String(),
    org_id: AnsweredId<'organization'>(),
    created_at: Timestamp,
    trash_lifetime: Type.Integer({
      description:
        'seconds for which videos and images that were deleted can be restored; 0: they are gone at once',
    }),
    unsigned_widths: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'where sizes of images have to be signed: the widths that may be had without; absent where any size may',
      }),
    ),
  }),
  {
    id: exampleId('project'),
    name: 'Films',
    org_id: exampleId('organization'),
    created_at: EXAMPLE_TIME,
    trash_lifetime: 86_400,
  },
)
export type OwnProject = Static<typeof OwnProject>
/** Without what is the same for all projects of an installation. */
export type NamedProject = Omit<OwnProject, 'trash_lifetime' | 'unsigned_widths'>

export const OwnProjectList = named(
  'OwnProjectList',
  Type.Object({ projects: Type.Array(ref(OwnProject)) }),
  { projects: [exampleOf(OwnProject)] },
)

export const ProjectInfo = named(
  'ProjectInfo',
  Type.Object({
    id: AnsweredId<'project'>(),
    name: Type.String(),
    created_at: Timestamp,
    storage_used: Type.Integer({ description: 'bytes' }),
    storage_limit: Type.Integer({ description: 'bytes' }),
  }),
  {
    id: exampleId('project'),
    name: 'Films',
    created_at: EXAMPLE_TIME,
    storage_used: 52428800,
    storage_limit: 107374182400,
  },
)
export type ProjectInfo = Static<typeof ProjectInfo>

const Region = Type.String({ pattern: '^[a-z0-9-]{1,64}$' })

export const NewProject = named(
  'NewProject',
  Type.Object({
    name: Name,
    regions: Type.Optional(Type.Array(Region, { maxItems: 20, uniqueItems: true })),
    video_quality: Type.Optional(VideoQuality),
    default_visibility: Type.Optional(Visibility),
  }),
  { name: 'Films', video_quality: 'basic' },
)
export type NewProject = Static<typeof NewProject>

export const Confirmation = Type.Object({
  confirm: Type.Optional(Type.String({ maxLength: 1000, description: 'The name or the id of the project.' })),
})

export const NameChange = named('ProjectNameChange', Type.Object({ name: Name }), { name: 'Short films' })

export const QualityChange = named('VideoQualityChange', Type.Object({ video_quality: VideoQuality }), {
  video_quality: 'pro',
})

export const VisibilityChange = named(
  'DefaultVisibilityChange',
  Type.Object({ default_visibility: Visibility }),
  { default_visibility: 'private' },
)

export const CustomDomain = named(
  'CustomDomain',
  Type.Object({
    // A host name with at least one dot; nothing else of an address.
    custom_domain: Type.String({ format: 'hostname', maxLength: 253, pattern: '\\.[^.]' }),
  }),
  { custom_domain: 'media.example.com' },
)

/** Names the project of an operation whose path names none. A key has one; a user may have several. */
export const ProjectHeader = Type.Object({
  'x-project-id': Type.Optional(Id('project')),
})
