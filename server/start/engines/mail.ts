import type { Config } from '../../config/config.ts'
import type { Mailer } from '../../platform/mail/port.ts'

/** Undefined where no mail server is configured. */
export async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | undefined> {
  if (!smtpUrl || !mailFrom) return undefined
  const { smtpMailer } = await import('../../platform/mail/smtp.ts')
  return smtpMailer({ url: smtpUrl, from: mailFrom })
}
