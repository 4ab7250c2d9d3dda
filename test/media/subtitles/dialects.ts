import fc from 'fast-check'
import type { Cue } from '../../../server/media/subtitles/port.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

interface Dialect {
  encoding: { name: Encoding; mark: boolean }
  lineEnd: string
  numbers: 'from 1' | 'from 0' | 'wrong' | 'same line' | 'none'
  blankLines: number
  blankAfterTimes: boolean
  separator: string
  arrow: string
  shortest: boolean
  coordinates: string
  reversed: boolean
  font: boolean
}

export const dialects: fc.Arbitrary<Dialect> = fc.record({
  encoding: fc.record({
    name: fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
    mark: fc.boolean(),
  }),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'),
  numbers: fc.constantFrom('from 1', 'from 0', 'wrong', 'same line', 'none'),
  blankLines: fc.nat(3),
  blankAfterTimes: fc.boolean(),
  separator: fc.constantFrom(',', '.', ' , '),
  arrow: fc.constantFrom('-->', ' --> ', '\t-->  '),
  shortest: fc.boolean(),
  coordinates: fc.constantFrom('', ' ', ' X1:100 X2:200 Y1:100 Y2:200'),
  reversed: fc.boolean(),
  font: fc.boolean(),
})

export function writeSubRip(cues: Cue[], dialect: Dialect): string {
  const blocks = cues.map((cue, at) => {
    const times = [cue.start, cue.end].map((time) => writeTime(time, dialect)).join(dialect.arrow)
    const text = dialect.font ? `{\\i1}<font color="#fff">${cue.text}</font>` : cue.text
    const lines = [`${numberOf(at, dialect)}${times}${dialect.coordinates}`, text]
    return lines.join(dialect.blankAfterTimes && dialect.blankLines > 0 ? '\n\n' : '\n')
  })
  // Cues that start together are meant in the order of the file.
  const distinct = new Set(cues.map((cue) => cue.start)).size === cues.length
  const ordered = dialect.reversed && distinct ? blocks.reverse() : blocks
  return ordered.join('\n'.repeat(dialect.blankLines + 1)).replaceAll('\n', dialect.lineEnd)
}

function numberOf(at: number, { numbers }: Dialect): string {
  if (numbers === 'none') return ''
  if (numbers === 'same line') return `${at + 1} `
  if (numbers === 'wrong') return `${(at * 7919) % 100}\n`
  return `${at + (numbers === 'from 1' ? 1 : 0)}\n`
}

function writeTime(time: number, { separator, shortest }: Dialect): string {
  const pad = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0')
  const hours = Math.floor(time / 3_600_000)
  const clock = `${pad((time / 60_000) % 60, 2)}:${pad((time / 1000) % 60, 2)}`
  const fraction = pad(time % 1000, 3)
  if (!shortest) return `${pad(hours, 2)}:${clock}${separator}${fraction}`
  const digits = fraction.replace(/0+$/, '')
  return `${hours > 0 ? `${hours}:` : ''}${clock}${digits && separator}${digits}`
}

const MARKS: Record<Encoding, string> = {
  'utf-8': '\ufeff',
  'utf-16le': '\ufeff',
  'utf-16be': '\ufeff',
  'windows-1252': '',
}
const WINDOWS_1252: Record<string, number> = { '€': 0x80, '“': 0x93, '”': 0x94, '–': 0x96 }

export function encode(text: string, { name, mark }: Dialect['encoding']): Buffer {
  const marked = (mark ? MARKS[name] : '') + text
  if (name === 'utf-8') return Buffer.from(marked)
  if (name === 'utf-16le') return Buffer.from(marked, 'utf16le')
  if (name === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16()
  return Buffer.from(
    marked.replace(/[€“”–]/g, (sign) => String.fromCharCode(WINDOWS_1252[sign]!)),
    'latin1',
  )
}
