import { inject, TestRunner } from 'vitest'

/** Ends a test that is about one process alone, where a service is several. */
export function skipHere(why: string): never {
  const test = TestRunner.getCurrentTest()
  if (!test) throw new Error(why)
  return test.context.skip(why)
}

/** Leaves a test out where a service is several processes, because it looks into one. */
export function aboutOneProcess(why: string): void {
  if (inject('engines')) skipHere(why)
}
