import type { Caller } from './caller.ts'
import { forbidden } from './errors.ts'

/** For what only the person at the machine may do: no key and no user holds it. */
export function allowOperator(caller: Caller): void {
  if (caller.kind !== 'operator') throw forbidden()
}
