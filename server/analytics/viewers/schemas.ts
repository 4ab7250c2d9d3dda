import { type Static, Type } from 'typebox'
import { EXAMPLE_TIME, named } from '../../http/schemas.ts'

export const OneViewer = Type.Object({
  viewer_id: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'as events have it: `user_id`, `device_id` or `session_id`',
    examples: ['ada'],
  }),
})

export const ViewerDeletion = named(
  'ViewerDeletion',
  Type.Object({
    viewer_id: Type.String(),
    status: Type.String({
      enum: ['pending', 'done', 'failed'],
      description: 'failed: it was tried for an hour; ask for it again',
    }),
    requested_at: Type.String({ format: 'date-time' }),
    done_at: Type.Optional(Type.String({ format: 'date-time', description: 'where it is done' })),
  }),
  { viewer_id: 'ada', status: 'done', requested_at: EXAMPLE_TIME, done_at: EXAMPLE_TIME },
)
export type ViewerDeletion = Static<typeof ViewerDeletion>
