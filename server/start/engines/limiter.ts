import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { memoryLimiter } from '../../platform/limits/memory.ts'
import type { Clock, Limiter } from '../../platform/limits/port.ts'

/** Counts shared by all processes, or each process's own. */
export async function openLimiter({ redisUrl }: Config, clock?: Clock): Promise<Limiter> {
  if (!redisUrl) return memoryLimiter(clock)
  // Loaded only where it is used: a client library is memory that an embedded install need not spend.
  const { redisLimiter } = await import('../../platform/limits/redis.ts')
  const limiter = redisLimiter(redisUrl, clock)
  try {
    await limiter.check()
  } catch (error) {
    await limiter.close()
    throw explained(error as NodeJS.ErrnoException, new URL(redisUrl).host)
  }
  return limiter
}

function explained({ message, code }: NodeJS.ErrnoException, host: string): StartupError {
  const said = message || code
  if (/NOAUTH|WRONGPASS/.test(message))
    return new StartupError(
      `Redis at ${host} refuses the user or its password: ${said}. Check MARQUEE_REDIS_URL.`,
    )
  if (/NOPERM/.test(message))
    return new StartupError(
      `Redis at ${host} does not allow the user to count: ${said}. Allow it scripts, hashes, EXPIRE and TIME: ACL SETUSER <name> ~marquee:* +@scripting +@hash +expire +time.`,
    )
  return new StartupError(
    `Redis at ${host} cannot be reached: ${said}. Check MARQUEE_REDIS_URL, and that Redis runs there.`,
  )
}
