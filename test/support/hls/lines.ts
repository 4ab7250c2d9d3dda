import type { Report } from './attributes.ts'

export interface Line {
  /** Without `#EXT` and what follows a colon; empty for a URI. */
  tag: string
  value: string
  report: Report
}

/** The tags and URIs of a playlist in turn; comments and empty lines are left out. */
export function linesOf(text: string, problems: string[]): Line[] {
  if (text.startsWith('\ufeff')) problems.push('the playlist begins with a byte order mark')
  if (/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text))
    problems.push('the playlist contains control characters')
  if (text !== text.normalize('NFC')) problems.push('the playlist is not in normal form C')
  const lines = text.split(/\r?\n/)
  if (lines[0] !== '#EXTM3U') problems.push('the first line is not #EXTM3U')
  return lines.flatMap((line, index) => {
    if (index === 0 || line === '' || (line.startsWith('#') && !line.startsWith('#EXT'))) return []
    const report: Report = (problem) => problems.push(`line ${index + 1}: ${problem}`)
    if (/^\s|\s$/.test(line)) report('white space around a line')
    const [, tag = '', value = ''] = /^#EXT([^:]*):?(.*)$/.exec(line) ?? ['', '', line]
    return [{ tag, value, report }]
  })
}

/** Finds tags of the wrong kind, and those that may appear once and do not. */
export function checkTags(lines: Line[], allowed: Record<string, 'once' | 'often'>): void {
  const seen = new Set<string>()
  for (const { tag, report } of lines.filter((line) => line.tag !== '')) {
    if (!allowed[tag]) report(`#EXT${tag} has no place here`)
    if (seen.has(tag) && allowed[tag] === 'once') report(`#EXT${tag} appears twice`)
    seen.add(tag)
  }
}
