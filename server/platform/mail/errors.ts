/** The mail server does not take mail now, or not from us. */
export class MailUnavailable extends Error {}

/** The mail server does not take mail for this address. */
export class MailRefused extends Error {}
