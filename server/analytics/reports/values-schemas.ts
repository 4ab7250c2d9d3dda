import { type Static, Type } from 'typebox'
import { exampleOf, named, ref } from '../../http/schemas.ts'
import { EventCount } from './schemas.ts'

const ValueCount = named(
  'ValueCount',
  Type.Object({ value: Type.String(), count: Type.Integer({ description: 'events that have it' }) }),
  { value: 'feed', count: 30 },
)

export const FilterValues = named(
  'FilterValues',
  Type.Object({
    event_types: Type.Array(ref(EventCount), {
      description: 'those that occurred in the range, the most frequent first',
    }),
    fields: Type.Array(Type.String(), {
      description: 'what a step of a funnel can filter by: of `event_type`, or of any',
    }),
    values: Type.Array(ref(ValueCount), {
      description: 'of `field`, the most frequent first; empty where none is asked for',
    }),
  }),
  {
    event_types: [exampleOf(EventCount)],
    fields: ['page', 'country'],
    values: [exampleOf(ValueCount)],
  },
)
export type FilterValues = Static<typeof FilterValues>
