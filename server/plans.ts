import type { StorageLimits } from './access/projects/show-current-project.ts'
import type { Config } from './config.ts'
import type { Quotas } from './http/limits.ts'

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
    free: config.freeStorage,
    pro: config.proStorage,
    custom: config.customStorage,
    pay_as_you_go: config.payAsYouGoStorage,
  }
}
