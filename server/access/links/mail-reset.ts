import { defineQueue, type Handler } from '../../platform/jobs/port.ts'
import { MailRefused } from '../../platform/mail/errors.ts'
import type { Mailer } from '../../platform/mail/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Account, accountsOf } from '../users/store.ts'
import { dropLink, newLink, pageLink } from './account-links.ts'

interface MailResetPayload {
  email: string
}

export const MAIL_RESET = defineQueue<MailResetPayload>('mail-password-reset')

/** A link for a new password works so long. */
export const RESET_SECONDS = 3600

export interface MailResetDeps {
  sql: Sql
  /** Undefined where no mail is set up: then nobody asks. */
  mailer: Mailer | undefined
  baseUrl: string
  onRefused(error: unknown): void
}

/** Mails a link for a new password to an address that has an account with one. */
export function mailReset({ sql, mailer, baseUrl, onRefused }: MailResetDeps): Handler<MailResetPayload> {
  return {
    attempts: 5,
    concurrency: 2,
    async run({ payload: { email } }) {
      const account = await accountToReset(email, sql)
      if (!account || !mailer) return
      const options = { userId: account.id, lifetimeSeconds: RESET_SECONDS, mailed: true }
      const token = await newLink(sql, { kind: 'reset', ...options })
      try {
        await mailer.send(letterOf(email, pageLink(baseUrl, 'reset#token', token), baseUrl))
      } catch (error) {
        await dropLink(sql, token)
        if (!(error instanceof MailRefused)) throw error
        onRefused(error)
      }
    },
    giveUp: async () => {},
  }
}

/**
 * The proved account of an address, else the newest: using the link proves it, and then it has what the others were given. Who
 * signs in through an OpenID issuer alone has no password to reset; the issuer decides whether they come in.
 */
async function accountToReset(email: string, sql: Sql): Promise<Account | undefined> {
  const [account] = await accountsOf(sql, email)
  return account?.password_hash ? account : undefined
}

function letterOf(to: string, link: string, baseUrl: string) {
  return {
    to,
    subject: 'A new password',
    text: `Somebody, you perhaps, asked for a new password for ${to} at ${baseUrl}.

To choose one, open this page within an hour:

${link}

It works once, and signs out everybody who is signed in with the old password.
If you did not ask for it, do nothing: the password stays as it is. Keep the link to yourself.
`,
  }
}
