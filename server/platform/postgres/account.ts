import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { StartupError } from '../../base/errors.ts'

export interface ServerAccount {
  uid: number
  gid: number
}

/**
 * Whom the embedded PostgreSQL runs as. It refuses to run as root, so root hands it to an ordinary
 * account; anybody else runs it as themselves (undefined).
 */
export function serverAccount(name: string): ServerAccount | undefined {
  if (os.userInfo().uid !== 0) return undefined
  try {
    const number = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    const account = { uid: number('-u'), gid: number('-g') }
    if (account.uid !== 0) return account
  } catch {}
  throw new StartupError(
    `PostgreSQL cannot run as "${name}": it needs an existing account other than root. Set MARQUEE_EMBEDDED_USER.`,
  )
}
