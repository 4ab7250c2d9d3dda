import { size, wholeNumber } from './settings.ts'

/** How much anybody may ask for and keep. */
export const limitSettings = {
  keyPerMinute: wholeNumber(
    'MARQUEE_LIMIT_KEY_PER_MINUTE',
    1000,
    'Requests a minute for each key or user. `0` means no limit, here and below.',
  ),
  freePerHour: wholeNumber(
    'MARQUEE_LIMIT_FREE_PER_HOUR',
    100,
    'Requests an hour for an organization on plan `free`.',
  ),
  freePerMinute: wholeNumber(
    'MARQUEE_LIMIT_FREE_PER_MINUTE',
    10,
    'Requests a minute for an organization on plan `free`.',
  ),
  proPerHour: wholeNumber(
    'MARQUEE_LIMIT_PRO_PER_HOUR',
    1000,
    'Requests an hour for an organization on plan `pro`.',
  ),
  proPerMinute: wholeNumber(
    'MARQUEE_LIMIT_PRO_PER_MINUTE',
    50,
    'Requests a minute for an organization on plan `pro`.',
  ),
  customPerHour: wholeNumber(
    'MARQUEE_LIMIT_CUSTOM_PER_HOUR',
    0,
    'Requests an hour for an organization on plan `custom`.',
  ),
  customPerMinute: wholeNumber(
    'MARQUEE_LIMIT_CUSTOM_PER_MINUTE',
    0,
    'Requests a minute for an organization on plan `custom`.',
  ),
  payAsYouGoPerHour: wholeNumber(
    'MARQUEE_LIMIT_PAY_AS_YOU_GO_PER_HOUR',
    0,
    'Requests an hour for an organization on plan `pay_as_you_go`.',
  ),
  payAsYouGoPerMinute: wholeNumber(
    'MARQUEE_LIMIT_PAY_AS_YOU_GO_PER_MINUTE',
    0,
    'Requests a minute for an organization on plan `pay_as_you_go`.',
  ),
  signInPerMinute: wholeNumber(
    'MARQUEE_LIMIT_SIGN_IN_PER_MINUTE',
    30,
    'Sign-ins and token exchanges a minute for each client address.',
  ),
  passwordsPerMinute: wholeNumber(
    'MARQUEE_LIMIT_PASSWORDS_PER_MINUTE',
    10,
    'Password attempts a minute for each account from one client address.',
  ),
  strangersPerHour: wholeNumber(
    'MARQUEE_LIMIT_PASSWORDS_PER_HOUR',
    300,
    'Password attempts an hour for each account from all client addresses that it never signed in from; a tenth of them from any one.',
  ),
  invitationMailsPerHour: wholeNumber(
    'MARQUEE_LIMIT_INVITATION_MAILS_PER_HOUR',
    100,
    'Invitations sent by mail an hour for each organization; a tenth of them to any one address.',
  ),
  resetMailsPerHour: wholeNumber(
    'MARQUEE_LIMIT_RESET_MAILS_PER_HOUR',
    5,
    'Links for a new password sent by mail an hour to each address.',
  ),

  deliveryPerMinute: wholeNumber(
    'MARQUEE_LIMIT_DELIVERY_PER_MINUTE',
    60000,
    'Requests for media a minute for each client address.',
  ),
  eventsPerMinute: wholeNumber(
    'MARQUEE_LIMIT_EVENTS_PER_MINUTE',
    60000,
    'Requests with events a minute for each key or user.',
  ),
  publicPerMinute: wholeNumber(
    'MARQUEE_LIMIT_PUBLIC_PER_MINUTE',
    6000,
    'Reads of public posts a minute for each client address.',
  ),

  freeStorageBytes: size('MARQUEE_STORAGE_FREE', '10GiB', 'Storage of a project on plan `free`.'),
  proStorageBytes: size('MARQUEE_STORAGE_PRO', '1TiB', 'Storage of a project on plan `pro`.'),
  customStorageBytes: size('MARQUEE_STORAGE_CUSTOM', '10TiB', 'Storage of a project on plan `custom`.'),
  payAsYouGoStorageBytes: size(
    'MARQUEE_STORAGE_PAY_AS_YOU_GO',
    '10TiB',
    'Storage of a project on plan `pay_as_you_go`.',
  ),
}
