export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends mail. */
export interface Mailer {
  /**
   * Resolves once a mail server has taken the mail over. Throws `MailRefused` where it never will for this address, and
   * `MailUnavailable` where it may another time; in both cases nobody gets the mail.
   */
  send(mail: Mail): Promise<void>

  /** Throws `MailUnavailable` where the server cannot be reached, or does not let us in. */
  check(): Promise<void>
}
