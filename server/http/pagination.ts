import { Type } from 'typebox'
import { sameAs } from './synonyms.ts'

export interface Page {
  limit: number
  offset: number
}

const LIMIT = { minimum: 1, maximum: 100 }
const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }))

const synonyms = {
  'pagination.limit': sameAs('limit', Type.Integer(LIMIT)),
  'pagination.offset': sameAs('offset', offset),
}

export const pageProperties = {
  limit: Type.Optional(Type.Integer({ ...LIMIT, default: 25 })),
  offset,
  ...synonyms,
}

/** The one order that a list has, which may be asked for by name. Any other is refused: it would not be what comes. */
export function orderedBy(sort: string, order: 'asc' | 'desc') {
  return {
    sort: Type.Optional(Type.String({ enum: [sort] })),
    order: Type.Optional(Type.String({ enum: [order] })),
  }
}

/** Of a list whose items have places in it, and nothing that anybody would sort them by. */
export const IN_PLACE = orderedBy('position', 'asc')

/** The query of a list. Optional on the wire; defaults are filled in before a handler sees it. */
export function pageQuery(sort: string, order: 'asc' | 'desc') {
  return Type.Unsafe<Page>(Type.Object({ ...pageProperties, ...orderedBy(sort, order) }))
}

/** That of a list with the newest first. */
export const PageQuery = pageQuery('created_at', 'desc')

/** What is asked for of a list that is shown whole where no limit is given. */
export interface Part {
  limit?: number
  offset?: number
}

/** The query of such a list, by default in the order in which its items were made. */
export function partQuery(order = orderedBy('created_at', 'asc')) {
  const limit = Type.Optional(Type.Integer({ ...LIMIT, description: 'without it: all' }))
  return Type.Unsafe<Part>(Type.Object({ limit, offset, ...synonyms, ...order }))
}

/** The part of a list that is in memory. */
export function partOf<T>(all: readonly T[], { limit = all.length, offset: start = 0 }: Part): T[] {
  return all.slice(start, start + limit)
}
