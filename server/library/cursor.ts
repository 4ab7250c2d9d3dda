import { badRequest } from '../base/errors.ts'
import type { MediaListing, MediaSort } from './schemas.ts'

/** Where an item is in a list: what the list is sorted by, and its id where that is the same for several. */
export interface Place {
  /** A time in microseconds, which are what the database counts in. */
  value: string | number
  id: string
}

const ID = /^(?:vid|img)_[0-9a-z]{26}$/

/** A cursor is the place of the last item that was seen, and of which list, in a form that nobody writes by hand. */
export function cursorAt(
  { sort, order }: Pick<MediaListing, 'sort' | 'order'>,
  { value, id }: Place,
): string {
  return Buffer.from(JSON.stringify([sort, order, value, id])).toString('base64url')
}

export function placeOf({ sort, order }: Pick<MediaListing, 'sort' | 'order'>, cursor: string): Place {
  const [ofSort, ofOrder, value, id] = read(cursor)
  const isPlace = isValueOf(sort, value) && typeof id === 'string' && ID.test(id)
  if (ofSort !== sort || ofOrder !== order || !isPlace || cursorAt({ sort, order }, { value, id }) !== cursor)
    throw badRequest('cursor: not one of this list in this order')
  return { value, id }
}

function read(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function isValueOf(sort: MediaSort, value: unknown): value is string | number {
  if (sort === 'name') return typeof value === 'string' && !value.includes('\0')
  return typeof value === 'number' && (sort === 'duration' || Number.isSafeInteger(value))
}
