import { createTransport } from 'nodemailer'
import { MailRefused, MailUnavailable } from './errors.ts'
import type { Mailer } from './port.ts'

/** Somebody waits for the answer meanwhile. */
const PATIENCE_MS = 10_000

/** By SMTP, a connection for each mail: there are few, and an idle connection would be cut off anyway. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
    // A text that names a file or an address is a text.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }) {
      try {
        // As a whole address and never as a list that would be parsed.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch (error) {
        const { code, responseCode = 0, message } = error as Error & { code?: string; responseCode?: number }
        // RFC 5321, 4.2.1: a reply from 500 on is final. EENVELOPE: it is about the addresses.
        if (code === 'EENVELOPE' && responseCode >= 500) throw new MailRefused(message, { cause: error })
        throw new MailUnavailable(message, { cause: error })
      }
    },
    async check() {
      await transport.verify().catch((error: Error) => {
        throw new MailUnavailable(error.message, { cause: error })
      })
    },
  }
}
