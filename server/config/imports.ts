import { oneOf, wholeNumber } from './settings.ts'

/** Files that the service fetches itself. */
export const importSettings = {
  imports: oneOf(
    'MARQUEE_IMPORT',
    ['on', 'off'],
    'on',
    'Whether videos and images can be imported from an address, by secret keys and members; publishable keys never can.',
  ),
  importSilenceSeconds: wholeNumber(
    'MARQUEE_IMPORT_SILENCE',
    30,
    'Seconds for which the server of an import may send next to nothing before it is asked again.',
    { min: 1, max: 3600 },
  ),
  importTrySeconds: wholeNumber(
    'MARQUEE_IMPORT_TRY',
    600,
    'Seconds for which an import is tried again without a byte of it.',
    { min: 1, max: 86400 },
  ),
}
