/** It cannot be imported, however often it is tried; the message is for the person who asked for it. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed'
}

/** Nobody waits for it any more: it was deleted. */
export class ImportGone extends Error {
  override readonly name = 'ImportGone'
}
