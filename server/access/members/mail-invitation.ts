import { badRequest, tooManyRequests, unavailable } from '../../base/errors.ts'
import type { OrganizationId } from '../../base/ids.ts'
import type { Limiter } from '../../platform/limits/port.ts'
import { MailRefused, MailUnavailable } from '../../platform/mail/errors.ts'
import type { Mailer } from '../../platform/mail/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { pageLink } from '../links/account-links.ts'
import { organizationName } from '../organizations/store.ts'
import type { Role } from './schemas.ts'

export interface InvitationMail {
  mailer: Mailer
  limiter: Limiter
  /** For each organization; 0 for no limit. */
  mailsPerHour: number
  /** The service's own address. */
  baseUrl: string
  onError(error: unknown): void
}

interface Letter {
  token: string
  orgId: OrganizationId
  email: string
  role: Role
  lifetimeSeconds: number
}

/** Sends an invitation's token to the address, and to nobody else: who has it can read that address's mail. */
export async function mailInvitation(letter: Letter, deps: InvitationMail & { sql: Sql }): Promise<void> {
  await countMail(letter, deps)
  const organization = await organizationName(deps.sql, letter.orgId)
  try {
    await deps.mailer.send({
      to: letter.email,
      subject: `Invitation to ${organization}`,
      text: textOf(letter, organization, deps.baseUrl),
    })
  } catch (error) {
    deps.onError(error)
    if (error instanceof MailRefused) throw badRequest('email: the mail server does not take mail for it')
    if (error instanceof MailUnavailable)
      throw unavailable('the invitation could not be mailed, and was not made; try again')
    throw error
  }
}

/** Nobody's mailbox is filled by inviting them again and again. */
async function countMail(
  { orgId, email }: Letter,
  { limiter, mailsPerHour }: Pick<InvitationMail, 'limiter' | 'mailsPerHour'>,
): Promise<void> {
  if (mailsPerHour === 0) return
  const toOne = Math.ceil(mailsPerHour / 10)
  const { allowed, states } = await limiter.take([
    { key: `mail:${orgId}`, quota: mailsPerHour, seconds: 3600 },
    { key: `mail:${orgId}:${email}`, quota: toOne, seconds: 3600 },
  ])
  if (allowed) return
  const wait = Math.max(...states.filter(({ remaining }) => remaining === 0).map((s) => s.resetSeconds))
  throw tooManyRequests(`too many invitations by mail; try again in ${wait} s`, wait)
}

function textOf({ token, role, lifetimeSeconds }: Letter, organization: string, baseUrl: string): string {
  const until = new Date(Date.now() + lifetimeSeconds * 1000).toUTCString()
  return `You are invited to ${organization} at ${baseUrl}, as ${role === 'owner' ? 'an owner' : 'a member'}.

To accept, open this page until ${until}, and choose a password:

${pageLink(baseUrl, 'accept#token', token)}

Without a browser, send the token with a password of at least 10 characters:

curl -X POST ${baseUrl}/auth/v1/invitations/accept -H 'Content-Type: application/json' \\
  -d '{"token": "${token}", "password": "…"}'

If you have an account of this address there already, give its password.
If you did not expect this, do nothing. Keep the link to yourself: it shows that this address is yours.
`
}
