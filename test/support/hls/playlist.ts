import { MAP, MEDIA, parseAttributes, STREAM_INF } from './attributes.ts'
import { checkGroups } from './groups.ts'
import { languageOf } from './language.ts'
import { checkTags, type Line, linesOf } from './lines.ts'

export interface Variant {
  uri: string
  bandwidth: number
  averageBandwidth: number
  codecs: string[]
  width: number
  height: number
  frameRate: number
  audio?: string
  subtitles?: string
}

export interface Rendition {
  type: string
  group: string
  name: string
  language?: string
  isDefault: boolean
  autoselect: boolean
  channels?: string
  uri?: string
  attributes: Map<string, string>
}

export interface Multivariant {
  variants: Variant[]
  renditions: Rendition[]
  independentSegments: boolean
  problems: string[]
}

const MULTIVARIANT_TAGS = {
  '-X-VERSION': 'once',
  '-X-INDEPENDENT-SEGMENTS': 'once',
  '-X-MEDIA': 'often',
  '-X-STREAM-INF': 'often',
} as const

/** Reads a multivariant playlist and says what RFC 8216 and Apple's rules for authors hold against it. */
export function parseMultivariant(text: string): Multivariant {
  const problems: string[] = []
  const lines = linesOf(text, problems)
  checkTags(lines, MULTIVARIANT_TAGS)
  const variants = lines.flatMap((line, i) =>
    line.tag === '-X-STREAM-INF' ? [variantOf(line, lines[i + 1])] : [],
  )
  const renditions = lines.filter((line) => line.tag === '-X-MEDIA').map(renditionOf)
  lines.forEach((line, i) => {
    if (line.tag === '' && lines[i - 1]?.tag !== '-X-STREAM-INF') line.report('a URI that nothing describes')
  })
  if (variants.length === 0) problems.push('there is no variant')
  checkGroups(variants, renditions, problems)
  const independentSegments = lines.some((line) => line.tag === '-X-INDEPENDENT-SEGMENTS')
  return { variants, renditions, independentSegments, problems }
}

function variantOf({ value, report }: Line, next: Line | undefined): Variant {
  const attributes = parseAttributes(value, STREAM_INF, report)
  for (const name of ['BANDWIDTH', 'AVERAGE-BANDWIDTH', 'CODECS', 'RESOLUTION', 'FRAME-RATE'])
    if (!attributes.has(name)) report(`${name} is missing`)
  if (next?.tag !== '') report('no URI follows')
  const frameRate = attributes.get('FRAME-RATE') ?? ''
  if (/\.\d{4}/.test(frameRate)) report(`FRAME-RATE=${frameRate} has more than three decimals`)
  const [width = 0, height = 0] = (attributes.get('RESOLUTION') ?? '').split('x').map(Number)
  const variant: Variant = {
    uri: next?.tag === '' ? next.value : '',
    bandwidth: Number(attributes.get('BANDWIDTH')),
    averageBandwidth: Number(attributes.get('AVERAGE-BANDWIDTH')),
    codecs: (attributes.get('CODECS') ?? '').split(',').map((codec) => codec.trim()),
    width,
    height,
    frameRate: Number(frameRate),
    audio: attributes.get('AUDIO'),
    subtitles: attributes.get('SUBTITLES'),
  }
  if (variant.averageBandwidth > variant.bandwidth) report('AVERAGE-BANDWIDTH is more than BANDWIDTH')
  return variant
}

function renditionOf({ value, report }: Line): Rendition {
  const attributes = parseAttributes(value, MEDIA, report)
  const type = attributes.get('TYPE') ?? ''
  for (const name of ['TYPE', 'GROUP-ID', 'NAME', 'URI'])
    if (!attributes.get(name)) report(`${name} is missing`)
  if (!['AUDIO', 'SUBTITLES'].includes(type)) report(`renditions of the type ${type} are not expected`)
  if (type === 'AUDIO' && !attributes.has('CHANNELS')) report('CHANNELS is missing')
  if (type !== 'SUBTITLES' && attributes.has('FORCED')) report('FORCED is for subtitles only')
  if (attributes.has('INSTREAM-ID')) report('INSTREAM-ID is for closed captions only')
  const isDefault = attributes.get('DEFAULT') === 'YES'
  const autoselect = attributes.get('AUTOSELECT') === 'YES'
  if (isDefault && !autoselect) report('DEFAULT=YES without AUTOSELECT=YES')
  const language = attributes.get('LANGUAGE')
  if (language !== undefined && !languageOf(language)) report(`LANGUAGE="${language}" is no language tag`)
  const channels = attributes.get('CHANNELS')
  return {
    ...{ type, language, isDefault, autoselect, channels, attributes },
    group: attributes.get('GROUP-ID') ?? '',
    name: attributes.get('NAME') ?? '',
    uri: attributes.get('URI'),
  }
}

export interface Segment {
  uri: string
  /** As declared, in seconds, and where it begins by what is declared before it. */
  duration: number
  start: number
}

export interface MediaPlaylist {
  targetDuration: number
  /** Where the initialization segment is. */
  map?: string
  segments: Segment[]
  independentSegments: boolean
  problems: string[]
}

const MEDIA_TAGS = {
  '-X-VERSION': 'once',
  '-X-TARGETDURATION': 'once',
  '-X-MEDIA-SEQUENCE': 'once',
  '-X-PLAYLIST-TYPE': 'once',
  '-X-INDEPENDENT-SEGMENTS': 'once',
  '-X-MAP': 'once',
  '-X-ENDLIST': 'once',
  INF: 'often',
} as const

/** Reads the playlist of one rendition that is complete. */
export function parseMedia(text: string): MediaPlaylist {
  const problems: string[] = []
  const lines = linesOf(text, problems)
  checkTags(lines, MEDIA_TAGS)
  const find = (tag: string) => lines.find((line) => line.tag === tag)
  const mapLine = find('-X-MAP')
  const map = mapLine && parseAttributes(mapLine.value, MAP, mapLine.report).get('URI')
  if (mapLine && map === undefined) mapLine.report('URI is missing')
  const segments = segmentsOf(lines)
  checkHeader()
  const independentSegments = find('-X-INDEPENDENT-SEGMENTS') !== undefined
  return { targetDuration: wholeNumber('-X-TARGETDURATION'), map, segments, independentSegments, problems }

  function wholeNumber(tag: string): number {
    const line = find(tag)
    if (line && !/^\d+$/.test(line.value)) line.report(`#EXT${tag}:${line.value} is no whole number`)
    return Number(line?.value ?? Number.NaN)
  }

  function checkHeader(): void {
    const target = wholeNumber('-X-TARGETDURATION')
    const longest = Math.max(0, ...segments.map((segment) => Math.round(segment.duration)))
    if (!(target >= longest)) problems.push(`a target duration of ${target} for a segment of ${longest} s`)
    const version = find('-X-VERSION') ? wholeNumber('-X-VERSION') : 1
    const needed = map ? 6 : lines.some((line) => line.tag === 'INF' && line.value.includes('.')) ? 3 : 1
    if (!(version >= needed)) problems.push(`version ${version}, where ${needed} is needed`)
    if (find('-X-PLAYLIST-TYPE')?.value !== 'VOD') problems.push('the playlist is not of the type VOD')
    if (!find('-X-ENDLIST')) problems.push('#EXT-X-ENDLIST is missing')
    if (!find('-X-MEDIA-SEQUENCE')) problems.push('#EXT-X-MEDIA-SEQUENCE is missing')
    else if (wholeNumber('-X-MEDIA-SEQUENCE') !== 0) problems.push('the media sequence does not begin at 0')
    if (segments.length === 0) problems.push('there is no segment')
    const first = lines.findIndex((line) => line.tag === '')
    for (const tag of ['-X-MAP', '-X-MEDIA-SEQUENCE', '-X-TARGETDURATION'])
      if (first >= 0 && lines.findIndex((line) => line.tag === tag) > first)
        problems.push(`#EXT${tag} comes after the first segment`)
  }
}

function segmentsOf(lines: Line[]): Segment[] {
  const segments: Segment[] = []
  let start = 0
  for (const [i, line] of lines.entries()) {
    if (line.tag === '' && lines[i - 1]?.tag !== 'INF') line.report('a segment without #EXTINF')
    if (line.tag !== 'INF') continue
    const [, seconds] = /^(\d+(?:\.\d+)?),/.exec(line.value) ?? []
    if (seconds === undefined) line.report(`#EXTINF:${line.value} is malformed`)
    const next = lines[i + 1]
    if (next?.tag !== '') {
      line.report('no URI follows')
      continue
    }
    const duration = Number(seconds ?? 0)
    if (duration === 0) line.report('a segment of no length')
    segments.push({ uri: next.value, duration, start })
    start += duration
  }
  return segments
}
