import { handle } from '../platform/jobs/port.ts'
import type { Mailer } from '../platform/mail/port.ts'
import { lastUsed } from './authentication/authenticate-key.ts'
import { installationSecret } from './installation/store.ts'
import { MAIL_RESET, mailReset } from './links/mail-reset.ts'
import { noteFailed } from './requests/note-failed.ts'
import { type AccessDeps, accessRoutes } from './routes.ts'
import { playbackTokens as openPlaybackTokens } from './signing-keys/playback-tokens.ts'
import { tokenIssuer } from './tokens/issuer.ts'

interface Deps extends Omit<AccessDeps, 'issuer' | 'domainSecret' | 'failedRequests' | 'hasMail'> {
  /** Undefined where no mail is set up. */
  mailer: Mailer | undefined
  /** The mail server takes no mail for an address. */
  onMailRefused(error: unknown): void
  /** When a key was last used could not be written down. */
  onUseNotWritten(error: unknown): void
  /** Requests that failed could not be written down. */
  onFailedNotWritten(error: unknown): void
}

export async function openAccess(deps: Deps) {
  const { sql, mailer, baseUrl, onMailRefused: onRefused } = deps
  const issuer = tokenIssuer(await installationSecret(sql, 'token_signing'))
  const playbackTokens = openPlaybackTokens(sql, await installationSecret(sql, 'playback_signing'))
  const domainSecret = await installationSecret(sql, 'domain_proof')
  const used = lastUsed(sql, deps.onUseNotWritten)
  const failedRequests = noteFailed(sql, deps.onFailedNotWritten)
  const made = { issuer, domainSecret, failedRequests, hasMail: mailer !== undefined }
  return {
    issuer,
    playbackTokens,
    noteUse: used.note,
    noteFailed: failedRequests.note,
    routes: [accessRoutes({ ...deps, ...made })],
    jobs: [handle(MAIL_RESET, mailReset({ sql, mailer, baseUrl, onRefused }))],
    async close() {
      await used.close()
      await failedRequests.close()
    },
  }
}
