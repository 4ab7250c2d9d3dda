/** The body is larger than the caller allowed; nothing was kept. */
export class ObjectTooLarge extends Error {
  override name = 'ObjectTooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`the object is larger than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/** The body ended before, or went on after, the size that was announced; nothing was kept. */
export class ObjectSizeMismatch extends Error {
  override name = 'ObjectSizeMismatch'

  constructor(announced: number, received: number) {
    super(`the object was announced with ${announced} bytes and came with ${received}`)
  }
}

/** The bytes are not those that the checksum is of; nothing was kept. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch'

  constructor() {
    super('the bytes differ from their checksum')
  }
}

/** Somebody else goes on with the same body. */
export class AppendTakenOver extends Error {
  override name = 'AppendTakenOver'

  constructor() {
    super('somebody else goes on with this body')
  }
}

/** The range begins at or after the object's end. */
export class RangeNotSatisfiable extends Error {
  override name = 'RangeNotSatisfiable'
  readonly size: number

  constructor(size: number) {
    super(`the range lies outside of the object's ${size} bytes`)
    this.size = size
  }
}

export class ObjectNotFound extends Error {
  override name = 'ObjectNotFound'

  constructor(key: string) {
    super(`there is no object ${key}`)
  }
}

/** There is an object of this name already, and it is as it was. */
export class ObjectExists extends Error {
  override name = 'ObjectExists'

  constructor(key: string) {
    super(`there is an object ${key} already`)
  }
}

/** There is no room left for another object; reading and deleting still work. */
export class StorageFull extends Error {
  override name = 'StorageFull'
  readonly code = 'ENOSPC'

  constructor(cause: unknown) {
    super('the storage is full', { cause })
  }
}

/** The store could not be reached, or broke off: the same call may work later. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'

  constructor(cause: unknown) {
    const { name, message } = cause as Error
    super(`the storage cannot be reached: ${message || name}`, { cause })
  }
}
