import fc from 'fast-check'
import { expect, test } from 'vitest'
import { includes, PERMISSIONS, parsePermissions, permissionSet } from '../../server/base/permissions.ts'

const resources = [...new Set(PERMISSIONS.map((p) => p.split(':')[0]!)), '*']
const actions = ['read', 'write', 'delete', '*']
const strings = fc
  .tuple(fc.constantFrom(...resources), fc.constantFrom(...actions))
  .map(([resource, action]) => `${resource}:${action}`)

/** The slow, obvious reading: a string covers a permission where each part is equal or a star. */
function covers(string: string, permission: string): boolean {
  const [resource, action] = string.split(':')
  const [r, a] = permission.split(':')
  return (resource === '*' || resource === r) && (action === '*' || action === a)
}

test('sets of permissions agree with the plain reading of their strings', () => {
  fc.assert(
    fc.property(fc.array(strings), fc.array(strings), (held, wanted) => {
      const expected = PERMISSIONS.filter((p) => wanted.some((w) => covers(w, p))).every((p) =>
        held.some((h) => covers(h, p)),
      )
      expect(includes(permissionSet(held), permissionSet(wanted))).toBe(expected)
    }),
  )
})

test.each([
  'videos',
  'videos:',
  ':read',
  'videos:READ',
  'videos:read:write',
  '*',
  '**:*',
  'toString:read',
  '',
])('%j is no permission', (string) =>
  expect(() => parsePermissions(['videos:read', string])).toThrow('is unknown'),
)
