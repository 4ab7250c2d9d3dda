import type { StorageLimits } from '../access/index.ts'
import type { Quotas } from '../http/limits.ts'
import type { Config } from './config.ts'

/** How often an organization may call, by its plan. */
export function quotasOf(config: Config): Quotas {
  return {
    keyPerMinute: config.keyPerMinute,
    signInPerMinute: config.signInPerMinute,
    eventsPerMinute: config.eventsPerMinute,
    deliveryPerMinute: config.deliveryPerMinute,
    publicPerMinute: config.publicPerMinute,
    webhooksPerMinute: config.webhooksPerMinute,
    plans: {
      free: { perHour: config.freePerHour, perMinute: config.freePerMinute },
      pro: { perHour: config.proPerHour, perMinute: config.proPerMinute },
      custom: { perHour: config.customPerHour, perMinute: config.customPerMinute },
      pay_as_you_go: { perHour: config.payAsYouGoPerHour, perMinute: config.payAsYouGoPerMinute },
    },
  }
}

/** How much a project may keep, by its organization's plan. */
export function storageLimitsOf(config: Config): StorageLimits {
  return {
    free: config.freeStorageBytes,
    pro: config.proStorageBytes,
    custom: config.customStorageBytes,
    pay_as_you_go: config.payAsYouGoStorageBytes,
  }
}
