import { appendFileSync } from 'node:fs'

/**
 * Whether something is there that not every machine has. Tests that need it are skipped where it is not, which is
 * said at the end of the run; in CI they fail, so that a green run there says that it works.
 */
export function needs(what: string, isThere: boolean): boolean {
  if (isThere) return true
  if (process.env.CI === 'true') throw new Error(`${what} is not there, and in CI no test goes without it`)
  notThere(what)
  return false
}

/** For what a test can go without anywhere: says at the end of the run that it was skipped. */
export function notThere(what: string): void {
  appendFileSync(process.env.MARQUEE_TEST_MISSING!, `${what}\n`)
}
