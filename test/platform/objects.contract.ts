import { afterAll, beforeAll, describe } from 'vitest'
import type { ObjectStore } from '../../server/platform/objects/port.ts'
import { appending } from './objects-contract/appending.ts'
import { concurrency } from './objects-contract/concurrency.ts'
import { names } from './objects-contract/names.ts'
import { reading } from './objects-contract/reading.ts'
import { refusedBodies } from './objects-contract/refused-bodies.ts'
import { writing } from './objects-contract/writing.ts'

/** What every store of objects promises. A new adapter is done when it passes. */
export function objectStoreContract(open: () => Promise<ObjectStore>): void {
  let opened: ObjectStore
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  const store = () => opened

  describe('writing', () => writing(store))
  describe('bodies that are refused', () => refusedBodies(store))
  describe('bodies that come with interruptions', () => appending(store))
  describe('reading', () => reading(store))
  describe('names', () => names(store))
  describe('many at once', () => concurrency(store))
}
