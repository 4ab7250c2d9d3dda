/**
 * Lines that are on the disk before anybody is told that they were taken, in segments that are read as a
 * whole later. What a crash cuts off was never told to be taken, and is dropped at the next opening.
 */
export interface Spool {
  /**
   * Resolves once the lines are on the disk, all of them. Rejects where they are not, and then none of them
   * is; with SpoolFull where the disk is. A line has no line feed in it.
   */
  append(lines: readonly string[]): Promise<void>

  /** Ends the segment being written, if there is anything in it: what was appended before is in a whole one. */
  seal(): Promise<void>

  /** The whole segments, oldest first. */
  segments(): Promise<Segment[]>

  /** Deletes a segment that nobody needs any more. */
  remove(number: number): Promise<void>

  close(): Promise<void>
}

export interface Segment {
  /** Greater than that of every segment before it, also of those that are removed. */
  number: number
  path: string
  bytes: number
}

export class SpoolFull extends Error {
  override name = 'SpoolFull'
}
