import { OPERATOR } from '../../base/caller.ts'
import { Refusal } from '../../base/errors.ts'
import { issueToken } from '../tokens/issue-token.ts'
import type { TokenDeps } from '../tokens/open-session.ts'

const LIFETIME_SECONDS = 24 * 3600

/** A day-long access token for the owner that the first start made; undefined once they are gone. */
export async function ownerToken(
  email: string,
  deps: Pick<TokenDeps, 'sql' | 'issuer'>,
): Promise<string | undefined> {
  try {
    return await issueToken(OPERATOR, { email, lifetimeSeconds: LIFETIME_SECONDS }, deps)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}
