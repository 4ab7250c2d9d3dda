import { conflict } from '../../base/errors.ts'
import { isUniqueViolation } from '../../platform/postgres/client.ts'

/** For `catch`: two policies of one organization cannot share a name. */
export function refuseTakenName(error: unknown): never {
  if (isUniqueViolation(error)) throw conflict('there is a policy of this name already')
  throw error
}
