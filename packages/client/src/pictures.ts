// Addresses of images in other sizes, without a call to the service. Works in browsers, workers and servers.

import type { Schemas } from './api-types.ts'

/** What can be done to an image: as a preset has it, or by the name of one. */
export type Size = Schemas['SizeOptions'] & { preset?: string }

/** The address of an image, as its `file.url` is, in another size. */
export function sizeUrl(url: string, size: Size): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(size)) if (value !== undefined) query.set(name, String(value))
  return query.size > 0 ? `${url}?${query}` : url
}

/**
 * The `srcset` of an image: by widths in pixels (`320w`), or, of a size that has a width of its own or is a preset, by
 * the density of the screen (`2x`).
 */
export function srcset(url: string, steps: number[], size: Size = {}): string {
  return entries(url, steps, size)
    .map(([address, step]) => `${address} ${step}`)
    .join(', ')
}

/** The same where sizes have to be signed: for servers, which keep the secret. */
export async function signedSrcset(
  url: string,
  steps: number[],
  size: Size & { secret: string },
): Promise<string> {
  const { secret, ...rest } = size
  const signed = entries(url, steps, rest).map(
    async ([address, step]) => `${await signAddress(address, secret)} ${step}`,
  )
  return (await Promise.all(signed)).join(', ')
}

/** What comes below the address of a video and is signed as sizes of images are. */
const PREVIEW = /\/preview\.(webp|avif)$/

/**
 * Signs an address of an image or of a moving preview, query and all, by the secret of its project. A token in it, which
 * says who is looking, stays and is not under the signature.
 */
export async function signAddress(url: string, secret: string): Promise<string> {
  const [address = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('signature')
  parameters.sort()
  const file = address.replace(PREVIEW, '').split('/').slice(-2).join('/')
  const underSignature = new URLSearchParams(parameters)
  underSignature.delete('token')
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign'])
  const signed = `/${file}?${underSignature}`
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(signed)))
  const base64 = btoa(String.fromCharCode(...bytes))
  const signature = base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
  return `${address}?${parameters}&signature=${signature}`
}

function entries(url: string, steps: number[], size: Size): [address: string, step: string][] {
  const hasWidth = size.w !== undefined || size.preset !== undefined
  return steps.map((step) =>
    hasWidth
      ? [sizeUrl(url, { ...size, dpr: step }), `${step}x`]
      : [sizeUrl(url, { ...size, w: step }), `${step}w`],
  )
}
