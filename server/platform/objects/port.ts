import type { Readable } from 'node:stream'

/**
 * Where files are kept. A key is one to 300 characters: segments of `[A-Za-z0-9._-]`, none of them
 * `.` or `..`, with slashes between. No key is a folder of another (`a` and `a/b`). A key or prefix
 * of any other form is a programming error and throws a TypeError before anything is touched.
 *
 * Every method throws StorageUnavailable where a store across the network cannot be reached.
 */
export interface ObjectStore {
  /**
   * Stores a body, in place of the one there is. It appears when all of it is stored and not before;
   * a put that throws leaves no trace. The body is not held in memory.
   *
   * The source is never destroyed: it may be a request whose connection still has to carry the answer.
   *
   * Throws ObjectTooLarge, ObjectSizeMismatch, ObjectExists, StorageFull, and whatever the source fails with.
   */
  put(key: string, source: Readable | Buffer, options?: PutBodyOptions): Promise<StoredObject>

  /**
   * Stores a local file and takes it away from its place; a putFile that throws leaves it there. The
   * file must be a regular one that nobody writes to any more.
   */
  putFile(key: string, path: string, options?: PutOptions): Promise<StoredObject>

  /**
   * Opens an object for reading. The stream delivers one version of it, whole, whatever is put
   * meanwhile; it has to be read to its end or destroyed.
   */
  get(key: string, range?: ByteRange): Promise<OpenObject | undefined>

  head(key: string): Promise<ObjectInfo | undefined>

  /** The file that is the object, for reading only; undefined where objects are not local files. */
  localPath(key: string): string | undefined

  /** Writes a copy of the object to a local file. */
  download(key: string, path: string): Promise<ObjectInfo | undefined>

  /** Throws ObjectNotFound where there is nothing to move. An object at the new key is replaced. */
  move(from: string, to: string): Promise<void>

  /**
   * Adds bytes to a body that comes with interruptions. Its pieces are objects below the prefix, under keys of their own;
   * which of them count is told to `onKept`, by and by, and what it was told survives a crash. The source may break off:
   * then what arrived is kept, and `brokenOff` says why. With a checksum it is all of the source or nothing.
   *
   * Whoever appends below the same prefix in this process is ended first, and their source is destroyed. Of a
   * process elsewhere, the caller has to make sure that it is not heard any more.
   *
   * Throws ChecksumMismatch, ObjectNotFound where a piece is gone, StorageFull, and whatever `onKept` throws.
   */
  append(prefix: string, source: Readable, options: AppendOptions): Promise<Appended>

  /**
   * Makes one object of a body's pieces, in place of the one there is. Pieces that are not taken away by it stay until they
   * are deleted. Throws ObjectNotFound where a piece is gone.
   */
  compose(body: PartialBody, key: string): Promise<void>

  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>

  /** Deletes everything under a prefix such as `a/b/`. What is put there meanwhile may go or stay. */
  deletePrefix(prefix: string): Promise<void>

  /** Everything under a prefix such as `a/b/`, or everything at all, in the byte order of the keys. */
  list(prefix?: string): AsyncIterable<ListedObject>

  /**
   * An address at which anybody may put this one object until it expires, with exactly the type and
   * length given here; undefined where the store has no address of its own.
   */
  presignPut(key: string, options: PresignPutOptions): Promise<string | undefined>

  /** An address at which anybody may read this one object until it expires; undefined as above. */
  presignGet(key: string, options: PresignGetOptions): Promise<string | undefined>

  /**
   * Removes what puts cut off by a crash have left behind, and answers how much there was. Something
   * being written right now counts as well once it is older than this, so 0 is for a start at which
   * nobody else writes to the store; otherwise allow for the longest put.
   */
  sweepTemporary(olderThanMs: number): Promise<number>

  /** Throws where the store cannot be reached or written to. */
  check(): Promise<void>

  close(): Promise<void>
}

export interface PutOptions {
  /** For stores that deliver by their own address. */
  contentType?: string
  maxBytes?: number
  /** The exact number of bytes, where it is known beforehand. */
  size?: number
  /** Whether the answer shall have the body's hash; without it a body of gigabytes costs half as much. */
  sha256?: boolean
  /**
   * Whether the buffers of a stream may be freed once they are stored, where nobody else holds them. Left to
   * the garbage collector, a large body has the whole heap marked every sixty megabytes or so.
   */
  freeBuffers?: boolean
}

export interface PutBodyOptions extends PutOptions {
  /**
   * Leaves an object that is there as it is, and throws ObjectExists; of several that are put at once one is kept. Only a server
   * that says it knows no such condition replaces it. The length has to be known beforehand.
   */
  ifAbsent?: boolean
}

/** What is kept of a body that is not whole yet. The caller writes it down. */
export interface PartialBody {
  size: number
  pieces: { key: string; size: number }[]
}

export interface AppendOptions {
  to: PartialBody
  maxBytes?: number
  checksum?: { algorithm: string; digest: Buffer }
  /**
   * Told about once a second while bytes come or are on their way into the store, and at the end. What it throws ends the
   * append.
   */
  onKept(body: PartialBody): Promise<void>
}

export interface Appended {
  body: PartialBody
  /** What the source failed with, or ObjectTooLarge. */
  brokenOff?: unknown
}

export interface StoredObject {
  size: number
  /** Of the whole body, in hexadecimal digits, where it was asked for. */
  sha256?: string
  /** Another one for every version of the object; quoted, as an ETag header wants it. */
  etag: string
}

/** Both ends included, as in HTTP. An `end` beyond the last byte means the last byte. */
export interface ByteRange {
  /** RangeNotSatisfiable is thrown where the object has no such byte. */
  start: number
  end?: number
}

export interface ObjectInfo {
  /** Of the whole object, also where a range of it was asked for. */
  size: number
  etag: string
  lastModified: Date
}

export interface OpenObject extends ObjectInfo {
  stream: Readable
}

export interface ListedObject {
  key: string
  size: number
  lastModified: Date
}

export interface PresignPutOptions {
  contentType?: string
  contentLength?: number
  expiresAt: Date
}

export interface PresignGetOptions {
  expiresAt: Date
  /** The type that the answer shall declare, whatever the object was put with. */
  responseContentType?: string
}

const SEGMENT = /^[A-Za-z0-9._-]{1,255}$/
const LONGEST = 300

/** Keys are made by the service; one of another form is a mistake in it and must not reach a store. */
export function checkKey(key: string): void {
  if (key.length > LONGEST || !key.split('/').every(isSafe)) throw badKey(key)
}

/** A prefix is whole segments and a closing slash: `a/b/` never means `a/bc`. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw badKey(prefix)
  checkKey(prefix.slice(0, -1))
}

function isSafe(segment: string): boolean {
  return SEGMENT.test(segment) && segment !== '.' && segment !== '..'
}

function badKey(key: string): TypeError {
  return new TypeError(`not a key of an object: ${JSON.stringify(key)}`)
}
