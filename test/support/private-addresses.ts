import { expect } from 'vitest'
import type { HlsAddress } from '../../server/delivery/hls/address.ts'
import { local } from './media.ts'

/** Every kind of address below a video's own, as what is there names it. One that is added does not compile without a line here. */
const KINDS: Record<HlsAddress['at'], RegExp> = {
  'multivariant playlist': /\/master\.m3u8$/,
  storyboard: /\/storyboard\.vtt$/,
  download: /\/download\.mp4$/,
  preview: /\/preview\.webp$/,
  'whole sound': /\/audio\.m4a$/,
  'storyboard sheet': /\/storyboard\/\d+\.jpg$/,
  subtitles: /\/subtitles\/sub_\w+\.vtt$/,
  'subtitle playlist': /\/subtitles\/sub_\w+\/index\.m3u8$/,
  'subtitle segment': /\/subtitles\/sub_\w+\/\d+\.vtt$/,
  track: /\/tracks\/trk_\w+\.\w+$/,
  'rendition playlist': /\/(?:v|a|trk_)\w*\/index\.m3u8$/,
  'init segment': /\/init\.mp4$/,
  segment: /\/\d+\.m4s$/,
}

/** Addresses of the service's own that a text names, be it JSON, XML, HTML or a playlist. */
export function addressesIn(text: string): string[] {
  const plain = text.replaceAll('&amp;', '&').replaceAll('\\u0026', '&')
  return [...plain.matchAll(/https?:\/\/[^\s"'<>\\]+\/cdn\/[^\s"'<>\\]+/g)].map(([address]) => address)
}

const withoutToken = (address: string) => local(address.split('#', 1)[0]!.split('?', 1)[0]!)

/**
 * All addresses of a video, found by following what is there from its record on, with a token. Fails where a kind of
 * address is not among them.
 */
export async function addressesOf(record: object, token: string): Promise<string[]> {
  const { file } = record as { file: { url: string } }
  const known = new Set([...addressesIn(JSON.stringify(record)), `${file.url}/master.m3u8`].map(withoutToken))
  for (const name of ['storyboard.vtt', 'audio.m4a', 'download.mp4', 'preview.webp', 'preview.avif'])
    known.add(withoutToken(`${file.url}/${name}`))
  for (const address of known) {
    const response = await fetch(`${address}?token=${token}`)
    expect(response.status, address).toBe(200)
    const text =
      /m3u8$|storyboard\.vtt$/.test(address) || address === withoutToken(file.url)
        ? await response.text()
        : ''
    if (text === '') await response.arrayBuffer()
    for (const uri of urisIn(text)) {
      // What a playlist names carries the token on.
      expect(uri, address).toContain(`token=${token}`)
      known.add(withoutToken(new URL(uri, address).href))
    }
  }
  for (const [kind, form] of Object.entries(KINDS))
    expect(
      [...known].some((address) => form.test(address)),
      kind,
    ).toBe(true)
  return [...known]
}

function urisIn(text: string): string[] {
  if (text.startsWith('WEBVTT')) return [...text.matchAll(/^\S+\.jpg\S*$/gm)].map(([uri]) => uri)
  const named = [...text.matchAll(/URI="([^"]+)"/g)].map(([, uri]) => uri!)
  return [...named, ...text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))]
}
