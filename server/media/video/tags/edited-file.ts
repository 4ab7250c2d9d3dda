import type { FileHandle } from 'node:fs/promises'

const ZEROS = Buffer.alloc(2 ** 20)

/** A file that is changed in its place: what stays keeps where it is, so that nothing that points to it has to be changed. */
export class EditedFile {
  readonly #handle: FileHandle
  size: number

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** As many bytes as there are, up to this many. */
  async read(at: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - at)))
    const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, at)
    return bytes.subarray(0, bytesRead)
  }

  async write(at: number, bytes: Buffer): Promise<void> {
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
