import { Type } from 'typebox'

export interface Page {
  limit: number
  offset: number
}

export const pageProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
}

/** Some of a list that is short enough to be answered whole, and is where nothing else is asked for. */
export interface Part {
  limit?: number
  offset?: number
}

export const PartQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'all where it is left out' })),
  offset: pageProperties.offset,
})

export function partOf<T>(all: T[], { limit = all.length, offset = 0 }: Part): T[] {
  return all.slice(offset, offset + limit)
}

/** The query of every list. Optional on the wire; defaults are filled in before a handler sees it. */
export const PageQuery = Type.Unsafe<Page>(Type.Object(pageProperties))
