import { isGranted } from '../../../session/permissions.ts'
import { words } from '../../../words.ts'
import { partsOf } from './permissions.ts'

const { resources, actions } = words.settings.permissions

/** A resource that is newer than these words is called as the interface calls it. */
export const resourceWord = (resource: string): string =>
  (resources as Record<string, { name: string }>)[resource]?.name ?? resource
export const resourceHint = (resource: string): string =>
  (resources as Record<string, { about: string }>)[resource]?.about ?? ''
export const actionWord = (action: string): string => (actions as Record<string, string>)[action] ?? action

/** What a list of permissions allows: "Videos: see, change. Feeds: see." */
export function sentenceOf(held: readonly string[], all: readonly string[]): string {
  if (all.length > 0 && all.every((permission) => isGranted(held, permission)))
    return words.settings.permissions.everything
  const parts = partsOf(all)
  const said = parts.resources.flatMap((resource) => {
    const granted = parts.actions.filter((action) => isGranted(held, `${resource}:${action}`))
    return granted.length > 0 ? [`${resourceWord(resource)}: ${granted.map(actionWord).join(', ')}`] : []
  })
  return said.join(' · ') || words.settings.permissions.nothing
}
