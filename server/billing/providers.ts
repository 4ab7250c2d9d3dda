import { PLANS } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import type { Prices } from './schemes/scheme.ts'
import { SCHEME_NAMES, schemeOf } from './schemes/schemes.ts'

export interface Provider {
  scheme: string
  /** All that it may sign with now: more than one while it changes over. None where nobody has set any. */
  secrets(): Promise<readonly string[]>
}

export type Providers = ReadonlyMap<string, Provider>

type Pairs = readonly (readonly [string, string])[]

/** The provider whose secret a first start makes, so that it can be tried without any setting. */
const BY_DEFAULT = 'payments'

export interface ProviderDeps {
  /** What the first start of the installation has made; undefined before it. */
  findMadeSecret(): Promise<string | undefined>
  onTrouble(message: string): void
}

/** Reads who may send webhooks from the settings; a mistake there ends the start. */
export async function readProviders(named: Pairs, secrets: Pairs, deps: ProviderDeps): Promise<Providers> {
  const providers = new Map<string, Provider>()
  for (const [name, scheme] of named) {
    if (!schemeOf(scheme))
      throw new StartupError(
        `MARQUEE_BILLING_PROVIDERS: "${scheme}" is not one of ${SCHEME_NAMES.join(', ')}.`,
      )
    providers.set(name, await providerOf(name, scheme, secrets, deps))
  }
  const unknown = secrets.find(([name]) => !providers.has(name))
  if (unknown)
    throw new StartupError(`MARQUEE_BILLING_SECRETS: "${unknown[0]}" is not in MARQUEE_BILLING_PROVIDERS.`)
  return providers
}

async function providerOf(
  name: string,
  scheme: string,
  all: Pairs,
  { findMadeSecret, onTrouble }: ProviderDeps,
): Promise<Provider> {
  const { learnSecret } = schemeOf(scheme)!
  const set = all.filter((pair) => pair[0] === name).map(([, secret]) => secret)
  for (const secret of set)
    await learnSecret(secret).catch(() => {
      throw new StartupError(
        `MARQUEE_BILLING_SECRETS: a secret of ${name} is not one of ${scheme}; copy it as the provider shows it.`,
      )
    })
  if (set.length > 0) return { scheme, secrets: async () => set }
  if (name !== BY_DEFAULT) {
    onTrouble(`${noSecret(name)}; everything it sends is refused.`)
    return { scheme, secrets: async () => [] }
  }
  // Looked up with the first webhook: a component on its own may be up before its database is.
  let made: string | undefined
  return {
    scheme,
    async secrets() {
      made ??= await findMadeSecret()
      if (made) await learnSecret(made)
      else onTrouble(`${noSecret(name)}, and a first start has not made one yet.`)
      return made ? [made] : []
    },
  }
}

export const noSecret = (provider: string) =>
  `the payment provider ${provider} has no secret in MARQUEE_BILLING_SECRETS`

export function readPrices(pairs: Pairs): Prices {
  return new Map(
    pairs.map(([price, name]) => {
      const plan = PLANS.find((candidate) => candidate === name)
      if (!plan)
        throw new StartupError(`MARQUEE_BILLING_PRICES: "${name}" is not one of ${PLANS.join(', ')}.`)
      return [price, plan]
    }),
  )
}
