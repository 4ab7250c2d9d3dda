import type { Schemas } from './api-types.ts'

/** As a sign-in answers them. */
export type Tokens = Pick<Schemas['Tokens'], 'access_token'> & Partial<Schemas['Tokens']>

export interface TokenHolder {
  current(): string
  /** New tokens, unless somebody else has got them since this one was used. False where there is no way to get any. */
  renew(used: string): Promise<boolean>
}

/**
 * Exchanges a refresh token once for all who need it: it works once, and one that comes a second time ends the whole
 * sign-in.
 */
export function holdTokens(
  tokens: Tokens,
  exchange: (refreshToken: string) => Promise<Tokens>,
  onTokens: (tokens: Tokens) => unknown,
): TokenHolder {
  let held = tokens
  let renewal: Promise<void> | undefined

  async function renewed(refreshToken: string): Promise<void> {
    held = await exchange(refreshToken)
    await onTokens(held)
  }

  return {
    current: () => held.access_token,
    async renew(used) {
      if (used !== held.access_token) return true
      if (!renewal && held.refresh_token)
        renewal = renewed(held.refresh_token).finally(() => {
          renewal = undefined
        })
      await renewal
      return used !== held.access_token
    },
  }
}
