import path from 'node:path'
import type { Addresses } from './addresses.ts'
import type { Quickstart } from './quickstart.ts'

interface Welcome {
  dataDir: string
  /** The keys, which are said once, by the first start. */
  first: Quickstart | undefined
  /** Until the owner has signed in. */
  signInLink: string | undefined
}

/** What a start says to the person at the terminal. */
export function welcome(addresses: Addresses, { dataDir, first, signInLink }: Welcome): string {
  const file = path.join(dataDir, 'quickstart.json')
  const lines = [
    '',
    '  Marquee is running.',
    '',
    `  API      ${addresses.base}`,
    `  Uploads  ${addresses.upload}`,
    `  Media    ${addresses.cdn}`,
    `  Docs     ${addresses.base}/docs`,
    `  Console  ${addresses.base}/console`,
    '',
  ]
  if (signInLink)
    lines.push(`  Sign in  ${signInLink}`, '           (works once, within a day, as the owner)', '')
  if (first)
    lines.push(
      `  Key      ${first.api_key}`,
      `           (this one, the publishable key and the owner's password are in ${file})`,
      '',
      '  Try it:',
      `  curl -H 'X-API-Key: ${first.api_key}' ${addresses.base}/project`,
      '',
    )
  else lines.push(`  Keys     ${file}`, '')
  return `${lines.join('\n')}\n`
}

/** What a process says that does work in the background and answers nothing but its health. */
export function welcomeWorker(port: number): string {
  return `\n  Marquee is running, as a worker.\n\n  Health   http://localhost:${port}/readyz\n\n`
}
