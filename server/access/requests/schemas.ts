import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { EXAMPLE_TIME, exampleOf, named, Pagination, ref } from '../../http/schemas.ts'

const FailedRequest = named(
  'FailedRequest',
  Type.Object({
    at: Type.String({ format: 'date-time', description: 'when it was answered' }),
    request_id: Type.String({ description: 'its `x-request-id`' }),
    method: Type.String(),
    route: Type.String({ description: 'the address as this description writes it' }),
    path: Type.String({ description: 'the address that was asked for, without its query' }),
    status: Type.Integer(),
    error: Type.String(),
    details: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String({ description: 'the key that it came with' })),
    user_id: Type.Optional(Type.String({ description: 'or the user' })),
    duration_ms: Type.Number(),
  }),
  {
    at: EXAMPLE_TIME,
    request_id: 'req_01k9z3v5q8c7m2x4n6b1d0f3gh',
    method: 'GET',
    route: '/videos/{videoId}',
    path: `/videos/${exampleId('video')}`,
    status: 404,
    error: 'Video not found',
    key_id: exampleId('key'),
    duration_ms: 3.2,
  },
)

export const FailedRequestList = named(
  'FailedRequestList',
  Type.Object({ data: Type.Array(ref(FailedRequest)), pagination: ref(Pagination) }),
  { data: [exampleOf(FailedRequest)], pagination: exampleOf(Pagination) },
)
export type FailedRequestList = Static<typeof FailedRequestList>
