import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../base/caller.ts'
import { unauthorized } from '../../base/errors.ts'
import type { shareLookUps } from '../../base/share-look-ups.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { permissionsOfKey } from '../keys/permissions.ts'
import { parseKey } from '../keys/secret.ts'
import { findLiveKey, type KeyRecord } from './store.ts'

/** `look`: requests with the same key in the same moment share one look at it. */
export async function authenticateKey(
  text: string,
  { sql, look = (_, lookUp) => lookUp() }: { sql: Sql; look?: ReturnType<typeof shareLookUps> },
): Promise<Caller> {
  const shown = parseKey(text)
  const key = shown && (await look(shown.id, () => findLiveKey(sql, shown.id)))
  const valid = key?.hashes.some((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), shown!.hash))
  if (!key || !valid || key.kind !== shown?.kind) throw unauthorized()
  return callerOfKey(key)
}

export function callerOfKey(key: KeyRecord, sessionId?: string): Caller {
  const grant = {
    orgId: key.org_id,
    projectId: key.project_id,
    plan: key.plan,
    permissions: permissionsOfKey(key.kind, key.policies ?? undefined),
  }
  return {
    kind: key.kind === 'sk' ? 'secret_key' : 'publishable_key',
    id: key.id,
    sessionId,
    grants: [grant],
  }
}
