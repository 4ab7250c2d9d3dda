import { UnsupportedImage } from './errors.ts'

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heic' | 'avif'

/** How much of a file `sniff` wants to see. */
export const SNIFF_BYTES = 4096

const ACCEPTED = 'send JPEG, PNG, WebP, AVIF, GIF or HEIC'

/** What an image file is, judged by its content alone. Throws UnsupportedImage for everything else. */
export function sniff(head: Buffer): ImageFormat {
  if (head.length === 0) throw new UnsupportedImage('the file is empty')
  const found = imageFormat(head)
  if (found) return found
  throw new UnsupportedImage(`this is ${otherKind(head)}; ${ACCEPTED}`)
}

function imageFormat(head: Buffer): ImageFormat | undefined {
  if (startsWith(head, 'ffd8ff')) return 'jpeg'
  if (startsWith(head, '89504e470d0a1a0a')) return 'png'
  if (isRiff(head, 'WEBP')) return 'webp'
  if (startsWith(head, hex('GIF8'))) return 'gif'
  const brands = isoBrands(head)
  if (brands.some((brand) => AVIF_BRANDS.has(brand))) return 'avif'
  if (brands.some((brand) => HEIC_BRANDS.has(brand))) return 'heic'
  return undefined
}

const AVIF_BRANDS = new Set(['avif', 'avis'])
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** The file types an ISO base media file (HEIC, AVIF, MP4, MOV) says it is; the first is the main one. */
function isoBrands(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

function otherKind(head: Buffer): string {
  const known = (signatures: [magic: string, kind: string][]) =>
    signatures.find(([magic]) => startsWith(head, magic))?.[1]
  return (
    known(SIGNATURES) ?? containerKind(head) ?? textKind(head) ?? known(SHORT_SIGNATURES) ?? 'not an image'
  )
}

function containerKind(head: Buffer): string | undefined {
  if (['ftyp', 'moov', 'mdat', 'wide', 'free'].includes(head.toString('latin1', 4, 8))) return 'a video'
  if (isRiff(head, 'AVI ')) return 'a video'
  if (isRiff(head, 'WAVE')) return 'an audio file'
  return undefined
}

const SIGNATURES: [magic: string, kind: string][] = [
  [hex('%PDF'), 'a PDF'],
  [hex('%!PS'), 'a PostScript file'],
  [hex('II*\0'), 'a TIFF'],
  [hex('MM\0*'), 'a TIFF'],
  ['49492b00', 'a TIFF'],
  ['4d4d002b', 'a TIFF'],
  ['1a45dfa3', 'a video'],
  ['000001ba', 'a video'],
  ['000001b3', 'a video'],
  [hex('OggS'), 'an Ogg audio or video'],
  [hex('fLaC'), 'an audio file'],
  [hex('ID3'), 'an audio file'],
  ['0000000c4a584c20', 'a JPEG XL'],
  ['0000000c6a502020', 'a JPEG 2000'],
  ['ff4fff51', 'a JPEG 2000'],
  [hex('8BPS'), 'a Photoshop file'],
  ['00000100', 'an icon (ICO)'],
  [hex('PK\x03\x04'), 'a ZIP archive'],
  ['7f454c46', 'a program'],
]

// Too short to tell them from the first letters of a text.
const SHORT_SIGNATURES: typeof SIGNATURES = [
  [hex('BM'), 'a BMP'],
  [hex('FLV'), 'a video'],
  ['fff1', 'an audio file'],
  ['fff9', 'an audio file'],
  ['fffb', 'an audio file'],
  ['ff0a', 'a JPEG XL'],
  ['1f8b', 'a compressed archive'],
  [hex('MZ'), 'a program'],
]

function textKind(head: Buffer): string | undefined {
  const wide = startsWith(head, 'fffe') || startsWith(head, 'feff')
  const text = head.toString('latin1').replaceAll('\0', wide ? '' : '\0')
  if (/<svg[\s>]/i.test(text)) return 'an SVG'
  if (/<(!doctype\s+html|html|head|body|script)[\s>]/i.test(text)) return 'an HTML page'
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return undefined
  return /^\W{0,4}<\?xml/.test(text) ? 'an XML file' : 'a text file'
}

function startsWith(head: Buffer, magic: string): boolean {
  return head.toString('hex', 0, magic.length / 2) === magic
}

function isRiff(head: Buffer, type: string): boolean {
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === type
}

function hex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}
