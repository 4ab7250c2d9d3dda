import { PLANS } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import type { Prices } from './schemes/scheme.ts'
import { SCHEME_NAMES, schemeOf } from './schemes/schemes.ts'

export interface Provider {
  scheme: string
  /** All that it may sign with now: more than one while it changes over. */
  secrets: string[]
}

export type Providers = ReadonlyMap<string, Provider>

type Pairs = readonly (readonly [string, string])[]

/** Reads who may send webhooks from the settings; a mistake there ends the start. */
export async function readProviders(named: Pairs, secrets: Pairs): Promise<Providers> {
  const providers = new Map<string, Provider>()
  for (const [name, scheme] of named) {
    if (!schemeOf(scheme))
      throw new StartupError(
        `MARQUEE_BILLING_PROVIDERS: "${scheme}" is not one of ${SCHEME_NAMES.join(', ')}.`,
      )
    providers.set(name, { scheme, secrets: [] })
  }
  for (const [name, secret] of secrets) {
    const provider = providers.get(name)
    if (!provider)
      throw new StartupError(`MARQUEE_BILLING_SECRETS: "${name}" is not in MARQUEE_BILLING_PROVIDERS.`)
    await schemeOf(provider.scheme)!
      .learnSecret(secret)
      .catch(() => {
        throw new StartupError(
          `MARQUEE_BILLING_SECRETS: a secret of ${name} is not one of ${provider.scheme}; copy it as the provider shows it.`,
        )
      })
    provider.secrets.push(secret)
  }
  return providers
}

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
