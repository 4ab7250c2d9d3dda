import type { ErasedEvents, Position } from '../port.ts'

/**
 * Lines that are on the disk before anybody is told that they were taken, in numbered segments. What a crash
 * cuts off was never told to be taken, and is dropped at the next opening.
 */
export interface Spool {
  /** Of the folder, whichever process opens it. */
  readonly id: string

  /**
   * Resolves once the line is on the disk. Rejects where it is not, and then nothing of it is; with EventsFull
   * where there is no room. A line has no line feed in it.
   */
  append(line: string): Promise<void>

  /** Up to where lines are on the disk; undefined where there never were any. */
  end(): Position | undefined

  /** Oldest first. Whole lines up to `bytes`, which grows where it is the last. */
  segments(): readonly SpoolSegment[]

  /** Takes events out of the lines up to a place that nobody reads any more; each line keeps its length and its place. */
  erase(erased: readonly ErasedEvents[], to: Position): Promise<void>

  /** Deletes a segment that nobody needs any more; never the one being written. */
  remove(number: number): Promise<void>

  close(): Promise<void>
}

export interface SpoolSegment {
  /** Greater than that of every segment before it, also of those that are removed. */
  readonly number: number
  readonly path: string
  readonly bytes: number
  /** When its last line was written, in milliseconds since 1970. */
  readonly written: number
}
