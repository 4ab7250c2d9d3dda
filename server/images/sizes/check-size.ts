import { badRequest } from '../../base/errors.ts'
import type { SizeOptions } from './option-schemas.ts'

/** Throws where options contradict each other; `where` is what the refusal calls them by. */
export function checkSize({ w, h, dpr, fit, gravity }: SizeOptions, where: 'query' | 'body'): void {
  if (fit && !(w && h)) throw badRequest(`${where}.fit: needs w and h`)
  if (gravity && fit !== 'cover') throw badRequest(`${where}.gravity: needs fit=cover`)
  if (dpr && !(w || h)) throw badRequest(`${where}.dpr: needs w or h`)
}
