import type { Schemas } from '@marquee/client'

export type May = (permission: string) => boolean

/** What a user may do in an organization. */
export function permissionsIn(user: Schemas['CurrentUser'], orgId: string | undefined): May {
  const held = user.organizations.find(({ id }) => id === orgId)?.permissions ?? []
  return (permission) => isGranted(held, permission)
}

/** Permissions are `resource:action`; either part of one that is held may be `*`: an owner holds `*:*`. */
export function isGranted(held: readonly string[], wanted: string): boolean {
  const [resource, action] = wanted.split(':')
  return held.some((one) => {
    const [heldResource, heldAction] = one.split(':')
    return (
      (heldResource === '*' || heldResource === resource) && (heldAction === '*' || heldAction === action)
    )
  })
}

/** What of the library somebody may read: nothing, one kind, or both. */
export function readableKind(may: May): { isAllowed: boolean; kind: 'video' | 'image' | undefined } {
  const [videos, images] = [may('videos:read'), may('images:read')]
  return { isAllowed: videos || images, kind: videos === images ? undefined : videos ? 'video' : 'image' }
}
