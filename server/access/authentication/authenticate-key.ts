import { timingSafeEqual } from 'node:crypto'
import type { Coalesce } from '../../base/async/coalesce.ts'
import type { Caller } from '../../base/caller.ts'
import { unauthorized } from '../../base/errors.ts'
import type { KeyId, SessionId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { parseKey, permissionsOfKey } from '../keys/kinds.ts'
import { findLiveKey, type KeyRecord, touchKeys } from './store.ts'

/** `look`: requests with the same key in the same moment share one look at it. */
export async function authenticateKey(
  text: string,
  { sql, look = (_, lookUp) => lookUp() }: { sql: Sql; look?: Coalesce },
): Promise<KeyCaller> {
  const shown = parseKey(text)
  const key = shown && (await look(shown.id, () => findLiveKey(sql, shown.id)))
  const valid = key?.hashes.some((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), shown!.hash))
  if (!key || !valid || key.kind !== shown?.kind) throw unauthorized()
  return callerOfKey(key)
}

/** A caller by a key, whose id is the key's. */
type KeyCaller = Caller & { id: KeyId }

export function callerOfKey(key: KeyRecord, sessionId?: SessionId): KeyCaller {
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

const FLUSH_EVERY_MS = 5000

export interface LastUsed {
  note(keyId: KeyId): void
  close(): Promise<void>
}

/** Remembers which keys were used and writes it down now and then: no request waits for it. */
export function lastUsed(sql: Sql, onError: (error: unknown) => void): LastUsed {
  let used = new Set<KeyId>()

  async function flush(): Promise<void> {
    if (used.size === 0) return
    const keyIds = [...used]
    used = new Set()
    await touchKeys(sql, keyIds).catch(onError)
  }

  const timer = setInterval(flush, FLUSH_EVERY_MS)
  timer.unref()
  return {
    note: (keyId) => used.add(keyId),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
