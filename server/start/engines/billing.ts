import { findWebhookSecret } from '../../access/index.ts'
import {
  type BillingComponent,
  billingElsewhere,
  billingInProcess,
  readPrices,
  readProviders,
} from '../../billing/index.ts'
import type { Config } from '../../config/config.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface BillingReports {
  /** A webhook could not be stored. */
  onError(error: unknown): void
  /** Something is to be set right by the operator. */
  onTrouble(message: string): void
}

/** What webhooks are passed to: in this process, or behind the address that is configured. */
export async function openBillingComponent(
  config: Config,
  sql: Sql,
  reports: BillingReports,
): Promise<BillingComponent> {
  const { billingUrl: url, billingInternalSecret: secret } = config
  if (url) return billingElsewhere({ url, secret: secret!, onError: reports.onError })
  return openBillingHere(config, sql, reports)
}

export async function openBillingHere(
  config: Config,
  sql: Sql,
  { onError, onTrouble }: BillingReports,
): Promise<BillingComponent> {
  const findMadeSecret = () => findWebhookSecret(sql)
  return billingInProcess({
    sql,
    providers: await readProviders(config.billingProviders, config.billingSecrets, {
      findMadeSecret,
      onTrouble,
    }),
    prices: readPrices(config.billingPrices),
    graceSeconds: config.billingGraceSeconds,
    onError,
  })
}
