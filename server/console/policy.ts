import { type CdnUrl, mediaSources } from '../base/cdn-url.ts'

/** Where a page of the console may get things from, beside the service itself. */
export interface ConsoleOrigins {
  /** Of pictures, playlists and segments: the console loads all of them from where media of all projects is. */
  cdn: CdnUrl
  /** Where files are uploaded to: the service, or its object store. */
  uploads: string[]
}

/** What a page may do. A script that somebody got into it would not run, nor a style, nor would anything leave it. */
export function consolePolicy({ cdn, uploads }: ConsoleOrigins, nonce: string): string {
  const files = mediaSources(cdn)
  const targets = uploads.map((address) => (address.includes('*') ? address : new URL(address).origin))
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The player's parts bring their styles with them, inside each element.
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${files} data: blob:`,
    `media-src 'self' ${files} blob: data:`,
    `connect-src ${["'self'", ...new Set([files, ...targets])].join(' ')}`,
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "base-uri 'none'",
    // Text becomes elements or scripts nowhere but in the player, by a policy of its own that takes no script.
    "require-trusted-types-for 'script'",
    'trusted-types marquee-player',
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
