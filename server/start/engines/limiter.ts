import type { Config } from '../../config/config.ts'
import { memoryLimiter } from '../../platform/limits/memory.ts'
import type { Clock, Limiter } from '../../platform/limits/port.ts'

/** Counts shared by all processes, or each process's own. */
export async function openLimiter({ redisUrl }: Config, clock: Clock): Promise<Limiter> {
  if (!redisUrl) return memoryLimiter(clock)
  // Loaded only where it is used: a client library is memory that an embedded install need not spend.
  const { redisLimiter } = await import('../../platform/limits/redis.ts')
  return redisLimiter(redisUrl, clock)
}
