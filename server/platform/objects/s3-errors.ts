import { StorageFull, StorageUnavailable } from './errors.ts'

const FULL = ['QuotaExceeded', 'ServiceQuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull']

interface Failure extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number }
}

/** The code that S3 gave: the only part of its errors that is always there, and always the same. */
export function codeOf(error: unknown): string {
  return (error as Failure | undefined)?.name ?? ''
}

function statusOf(error: unknown): number | undefined {
  return (error as Failure | undefined)?.$metadata?.httpStatusCode
}

/** HEAD has no body to carry a code, so the SDK makes one up from the status. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'NoSuchKey' || codeOf(error) === 'NotFound'
}

/** What a caller of the port is to see in place of the SDK's error. */
export function translate(error: unknown): unknown {
  if (FULL.includes(codeOf(error))) return new StorageFull(error)
  if (isOutage(error as Failure)) return new StorageUnavailable(error)
  if (error instanceof Error && isSilent(error))
    error.message = `S3 answered ${statusOf(error)} ${codeOf(error)}`
  return error
}

/** Some servers send no message, and the answer to a HEAD has no room for one. */
function isSilent({ message }: Error): boolean {
  return message === '' || message === 'UnknownError'
}

function isOutage(error: Failure): boolean {
  const status = statusOf(error)
  // What a server does not know at all it will not know later.
  if (status === 501) return false
  if (status !== undefined) return status >= 500 || status === 429
  // A file that was to be stored has codes of its own, and a path: that it is missing says nothing about S3.
  if ('path' in error) return false
  return error.name === 'TimeoutError' || (typeof error.code === 'string' && !(error instanceof TypeError))
}
