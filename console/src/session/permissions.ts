import type { Schemas } from '@marquee/client'

export type May = (permission: string) => boolean

/** What a user may do in an organization. */
export function permissionsIn(user: Schemas['CurrentUser'], orgId: string | undefined): May {
  const held = user.organizations.find(({ id }) => id === orgId)?.permissions ?? []
  return (permission) => held.some((one) => grants(one, permission))
}

/** Either part of what is held may be `*`: an owner holds `*:*`. */
function grants(held: string, wanted: string): boolean {
  const [resource, action] = held.split(':')
  const [wantedResource, wantedAction] = wanted.split(':')
  return (resource === '*' || resource === wantedResource) && (action === '*' || action === wantedAction)
}

/** What of the library somebody may read: nothing, one kind, or both. */
export function readableKind(may: May): { isAllowed: boolean; kind: 'video' | 'image' | undefined } {
  const [videos, images] = [may('videos:read'), may('images:read')]
  return { isAllowed: videos || images, kind: videos === images ? undefined : videos ? 'video' : 'image' }
}
