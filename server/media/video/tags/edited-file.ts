import type { FileHandle } from 'node:fs/promises'
import { UnsupportedVideo } from '../errors.ts'

const ZEROS = Buffer.alloc(2 ** 20)
/** Ten hours of sound in pages of a twentieth of a second are fewer. */
const MOST_STEPS = 1_000_000

/** A file that is changed in its place: what stays keeps where it is, so that nothing that points to it has to be changed. */
export class EditedFile {
  readonly #handle: FileHandle
  size: number
  /** What a file says of itself may lead anywhere, again and again: not without end. */
  #stepsLeft: number
  #bytesLeft: number

  constructor(handle: FileHandle, size: number, mostSteps = MOST_STEPS) {
    this.#handle = handle
    this.size = size
    this.#stepsLeft = mostSteps
    this.#bytesLeft = 4 * size + ZEROS.length
  }

  #spend(bytes: number): void {
    this.#bytesLeft -= bytes
    if (this.#stepsLeft-- <= 0 || this.#bytesLeft < 0)
      throw new UnsupportedVideo('it has too much beside its sound')
  }

  /** As many bytes as there are, up to this many. */
  async read(at: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - at)))
    this.#spend(0)
    const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, at)
    return bytes.subarray(0, bytesRead)
  }

  async write(at: number, bytes: Buffer): Promise<void> {
    this.#spend(bytes.length)
    await this.#handle.write(bytes, 0, bytes.length, at)
  }

  /** Fills from one place to another with zeros; never beyond the end. */
  async clear(from: number, to: number): Promise<void> {
    const end = Math.min(to, this.size)
    for (let at = from; at < end; at += ZEROS.length)
      await this.write(at, ZEROS.subarray(0, Math.min(ZEROS.length, end - at)))
  }

  async cut(size: number): Promise<void> {
    await this.#handle.truncate(size)
    this.size = size
  }
}
