import { lastUsed } from './authentication/authenticate-key.ts'
import { installationSecret } from './installation/store.ts'
import { noteFailed } from './requests/note-failed.ts'
import { type AccessDeps, accessRoutes } from './routes.ts'
import { tokenIssuer } from './tokens/issuer.ts'

interface Deps extends Omit<AccessDeps, 'issuer' | 'domainSecret' | 'failedRequests'> {
  /** When a key was last used could not be written down. */
  onUseNotWritten(error: unknown): void
  /** Requests that failed could not be written down. */
  onFailedNotWritten(error: unknown): void
}

export async function openAccess(deps: Deps) {
  const { sql } = deps
  const issuer = tokenIssuer(await installationSecret(sql, 'token_signing'))
  const domainSecret = await installationSecret(sql, 'domain_proof')
  const used = lastUsed(sql, deps.onUseNotWritten)
  const failedRequests = noteFailed(sql, deps.onFailedNotWritten)
  return {
    issuer,
    noteUse: used.note,
    noteFailed: failedRequests.note,
    routes: [accessRoutes({ ...deps, issuer, domainSecret, failedRequests })],
    async close() {
      await used.close()
      await failedRequests.close()
    },
  }
}
