import { isGranted } from '../../../session/permissions.ts'

/** Gives or takes one. What stood for it and others by `*` is written out where one of them is taken. */
export function toggled(held: readonly string[], one: string, all: readonly string[]): string[] {
  if (!isGranted(held, one)) return [...held, one]
  const kept = held.filter((other) => !isGranted([other], one))
  const spelled = held
    .filter((other) => other !== one && isGranted([other], one))
    .flatMap((wide) => all.filter((permission) => permission !== one && isGranted([wide], permission)))
  return [...new Set([...kept, ...spelled])]
}

/** The parts of permissions in their order. */
export function partsOf(all: readonly string[]): { resources: string[]; actions: string[] } {
  const parts = all.map((permission) => permission.split(':') as [string, string])
  return {
    resources: [...new Set(parts.map(([resource]) => resource))],
    actions: [...new Set(parts.map(([, action]) => action))],
  }
}
