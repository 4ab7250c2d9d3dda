import { billingElsewhere } from '../billing/forward-webhook.ts'
import type { BillingComponent } from '../billing/port.ts'
import { readPrices, readProviders } from '../billing/providers.ts'
import { billingInProcess } from '../billing/receive-webhook.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../platform/postgres/client.ts'

/** What webhooks are passed to: in this process, or behind the address that is configured. */
export async function openBilling(
  config: Config,
  sql: Sql,
  onError: (error: unknown) => void,
): Promise<BillingComponent> {
  if (config.billingUrl)
    return billingElsewhere({ url: config.billingUrl, secret: config.billingInternalSecret!, onError })
  return openBillingHere(config, sql, onError)
}

export async function openBillingHere(
  config: Config,
  sql: Sql,
  onError: (error: unknown) => void,
): Promise<BillingComponent> {
  return billingInProcess({
    sql,
    providers: await readProviders(config.billingProviders, config.billingSecrets),
    prices: readPrices(config.billingPrices),
    graceSeconds: config.billingGrace,
    onError,
  })
}
