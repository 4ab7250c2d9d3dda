import type { Caller } from '../../base/caller.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { deleteSession } from './store.ts'

/** Ends the sign-in behind the caller's token: its access and refresh tokens stop working at once. */
export async function logout(caller: Caller, sql: Sql): Promise<void> {
  if (caller.sessionId) await deleteSession(sql, caller.sessionId)
}
