import { readTimestamp, writeTimestamp } from './timing.ts'

const KEPT = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt', 'v', 'lang'])

// More than anybody nests; it bounds the search for the tag that an end tag closes.
const DEEPEST = 16
const LONGEST_TAG = 200

/** Decides for each tag of one cue what is written in its place, so that all that is opened is closed. */
export function tagsOf(cue: { start: number; end: number }) {
  const open: string[] = []
  let lastTimestamp = cue.start

  function close(depth: number): string {
    return open
      .splice(depth)
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  }

  function startTag(inside: string): string {
    const space = inside.search(/\s/)
    const [name = '', ...classes] = (space < 0 ? inside : inside.slice(0, space)).split('.')
    const kind = name.toLowerCase()
    if (kind === 'br' || kind === 'br/') return '\n'
    if (!KEPT.has(kind) || open.length === DEEPEST) return ''
    if (kind === 'rt' && open.at(-1) !== 'ruby') return ''
    const annotation = annotationOf(kind, space < 0 ? '' : inside.slice(space))
    if (annotation === undefined) return ''
    open.push(kind)
    const safeClasses = classes.map((name) => safe(name, /[^\p{L}\p{N}_-]/gu)).filter(Boolean)
    return `<${[kind, ...safeClasses].join('.')}${annotation}>`
  }

  return {
    /** `inside` is what stands between `<` and `>`. */
    replace(inside: string): string {
      if (isTimestamp(inside)) {
        const time = readTimestamp(inside)
        if (time <= lastTimestamp || time >= cue.end) return ''
        lastTimestamp = time
        return `<${writeTimestamp(time)}>`
      }
      if (!inside.startsWith('/')) return startTag(inside.slice(0, LONGEST_TAG))
      const depth = open.lastIndexOf(tagName(inside))
      return depth < 0 ? '' : close(depth)
    },
    closeAll: () => close(0),
  }
}

/** The name in `b.loud`, `/b` or `script src=x`; empty for what is no tag, such as the `3` in `<3`. */
export function tagName(inside: string): string {
  return /^\/?([a-z][a-z0-9]{0,20})/i.exec(inside)?.[1]?.toLowerCase() ?? ''
}

export function isTimestamp(inside: string): boolean {
  return /^(\d{2,6}:)?[0-5]\d:[0-5]\d\.\d{3}$/.test(inside)
}

/** Undefined where the tag means nothing without one. */
function annotationOf(name: string, text: string): string | undefined {
  if (name !== 'v' && name !== 'lang') return ''
  const annotation = name === 'v' ? safeWords(text) : safe(text, /[^A-Za-z0-9-]/g)
  return annotation === '' ? undefined : ` ${annotation}`
}

/** A name of somebody or something, without a character that has a meaning in markup or scripts. */
export function safeWords(text: string): string {
  const words = text
    .slice(0, LONGEST_TAG)
    .replace(/&\w{1,8};/g, ' ')
    .replaceAll("'", '’')
  return safe(words, /[^\p{L}\p{M}\p{N} ’._,-]/gu)
}

/** A run of dashes becomes one: before the `>` of a tag it would make an arrow. */
function safe(text: string, unsafe: RegExp): string {
  return text
    .replace(/\s/g, ' ')
    .replace(unsafe, '')
    .replace(/-+/g, '-')
    .replace(/ +/g, ' ')
    .replace(/^[ -]+|[ -]+$/g, '')
}
