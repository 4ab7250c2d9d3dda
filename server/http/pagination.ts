import { Type } from 'typebox'

export interface Page {
  limit: number
  offset: number
}

export const pageProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
}

/** The query of every list. Optional on the wire; defaults are filled in before a handler sees it. */
export const PageQuery = Type.Unsafe<Page>(Type.Object(pageProperties))
