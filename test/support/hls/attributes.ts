export type Report = (problem: string) => void

const SYNTAX = {
  integer: /^\d{1,20}$/,
  decimal: /^\d+(\.\d+)?$/,
  quoted: /^"[^"]*"$/,
  word: /^[^",\s]+$/,
  resolution: /^\d+x\d+$/,
  answer: /^(YES|NO)$/,
  captions: /^("[^"]*"|NONE)$/,
}

type Known = Record<string, keyof typeof SYNTAX>

export const STREAM_INF: Known = {
  BANDWIDTH: 'integer',
  'AVERAGE-BANDWIDTH': 'integer',
  SCORE: 'decimal',
  CODECS: 'quoted',
  'SUPPLEMENTAL-CODECS': 'quoted',
  RESOLUTION: 'resolution',
  'FRAME-RATE': 'decimal',
  'HDCP-LEVEL': 'word',
  'ALLOWED-CPC': 'quoted',
  'VIDEO-RANGE': 'word',
  'REQ-VIDEO-LAYOUT': 'quoted',
  'STABLE-VARIANT-ID': 'quoted',
  AUDIO: 'quoted',
  VIDEO: 'quoted',
  SUBTITLES: 'quoted',
  'CLOSED-CAPTIONS': 'captions',
  'PATHWAY-ID': 'quoted',
}

export const MEDIA: Known = {
  TYPE: 'word',
  URI: 'quoted',
  'GROUP-ID': 'quoted',
  LANGUAGE: 'quoted',
  'ASSOC-LANGUAGE': 'quoted',
  NAME: 'quoted',
  'STABLE-RENDITION-ID': 'quoted',
  DEFAULT: 'answer',
  AUTOSELECT: 'answer',
  FORCED: 'answer',
  'INSTREAM-ID': 'quoted',
  'BIT-DEPTH': 'integer',
  'SAMPLE-RATE': 'integer',
  CHARACTERISTICS: 'quoted',
  CHANNELS: 'quoted',
}

export const MAP: Known = { URI: 'quoted', BYTERANGE: 'quoted' }

/** Reads an attribute list, by the letter; values lose their quotes. */
export function parseAttributes(list: string, known: Known, report: Report): Map<string, string> {
  const found = new Map<string, string>()
  const one = /([A-Z0-9-]+)=("[^"]*"|[^",\s]+)(,(?=[A-Z])|$)/y
  while (one.lastIndex < list.length) {
    const at = one.lastIndex
    const match = one.exec(list)
    if (!match) {
      report(`the attribute list is malformed at "${list.slice(at, at + 30)}"`)
      break
    }
    const [, name = '', value = ''] = match
    const syntax = known[name]
    if (!syntax) report(`${name} is no attribute of this tag`)
    else if (!SYNTAX[syntax].test(value)) report(`${name}=${value} should be of the kind "${syntax}"`)
    if (found.has(name)) report(`${name} appears twice`)
    found.set(name, value.replaceAll('"', ''))
  }
  return found
}
