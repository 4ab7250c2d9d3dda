import { type Static, Type } from 'typebox'
import { Id, Name, named, Timestamp } from '../../http/schemas.ts'
import { choiceOf } from '../../http/synonyms.ts'

/** Events have names of their own for the tiers, and generated clients use those everywhere. */
export const VideoQuality = choiceOf(['basic', 'shorts', 'pro'], {
  VIDEO_QUALITY_BASIC: 'basic',
  VIDEO_QUALITY_SHORTS: 'shorts',
  VIDEO_QUALITY_PRO: 'pro',
})

const DomainRecord = Type.Object({
  type: Type.String({ enum: ['TXT'] }),
  name: Type.String(),
  value: Type.String(),
})
export type DomainRecord = Static<typeof DomainRecord>

export const Project = named(
  'Project',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    org_id: Type.String(),
    custom_domain: Type.String({
      description: 'Kept with the project; media is not delivered under it yet. Empty where there is none.',
    }),
    custom_domain_status: Type.Optional(
      Type.Unsafe<'pending' | 'verified'>({
        type: 'string',
        enum: ['pending', 'verified'],
        description: 'Whether a DNS record has proved the domain; absent where there is none.',
      }),
    ),
    custom_domain_record: Type.Optional(DomainRecord),
    regions: Type.Array(Type.String(), {
      description: 'Names of the installation’s regions; they do not choose where media is kept yet.',
    }),
    notes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What to know about values that were set and do less than they say.',
      }),
    ),
    video_quality: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Project = Static<typeof Project>

export const ProjectInfo = named(
  'ProjectInfo',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    created_at: Timestamp,
    storage_used: Type.Integer({ description: 'bytes' }),
    storage_limit: Type.Integer({ description: 'bytes' }),
  }),
)
export type ProjectInfo = Static<typeof ProjectInfo>

const Region = Type.String({ pattern: '^[a-z0-9-]{1,64}$' })

export const NewProject = Type.Object({
  name: Name,
  regions: Type.Optional(Type.Array(Region, { maxItems: 20, uniqueItems: true })),
  video_quality: Type.Optional(VideoQuality),
})
export type NewProject = Static<typeof NewProject>

export const Confirmation = Type.Object({
  confirm: Type.Optional(Type.String({ maxLength: 1000, description: 'The name or the id of the project.' })),
})

export const CustomDomain = Type.Object({
  // A host name with at least one dot; nothing else of an address.
  custom_domain: Type.String({ format: 'hostname', maxLength: 253, pattern: '\\.' }),
})

/** Names the project of an operation whose path names none. A key has one; a user may have several. */
export const ProjectHeader = Type.Object({
  'x-project-id': Type.Optional(Id('project')),
})
