import type { Cue } from './port.ts'
import { cleanSettings } from './settings.ts'
import { isTimestamp, safeWords, tagName, tagsOf } from './tags.ts'

/** The cue as valid WebVTT that no script can use; undefined where nothing is left to show. */
export function cleanCue(cue: Cue): Cue | undefined {
  if (cue.end <= cue.start) return undefined
  const { text, atTop } = withoutOverrides(cleanMarkup(cue))
  const lines = text.split('\n').map((line) => line.trim())
  const shown = lines.filter((line) => line !== '').join('\n')
  const hasText = /(?:^|>)\s*[^\s<]/.test(shown)
  if (!hasText) return undefined
  // A line that the cue gives itself comes later, and wins.
  const settings = cleanSettings(atTop ? `line:0 ${cue.settings}` : cue.settings)
  const id = cleanId(cue.id ?? '')
  return { start: cue.start, end: cue.end, settings, text: shown, ...(id && { id }) }
}

const CONTENT_IS_CODE = new Set(['script', 'style'])

/** One pass from `<` to `>`, so that no input takes longer than its length. */
function cleanMarkup(cue: Cue): string {
  const source = cue.text.replace(/[\x00-\x08\x0b-\x1f\x7f\ufeff]/g, '')
  const tags = tagsOf(cue)
  const written: string[] = []
  let code = ''
  let done = 0
  let open = -1
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '<') open = at
    if (source[at] !== '>' || open < done) continue
    const inside = source.slice(open + 1, at)
    if (!isTag(inside)) continue
    if (code === '') written.push(escapeText(source.slice(done, open)), tags.replace(inside))
    done = at + 1
    const name = tagName(inside)
    if (code !== '') code = inside.startsWith('/') && name === code ? '' : code
    else if (CONTENT_IS_CODE.has(name) && !inside.startsWith('/')) code = name
  }
  if (code === '') written.push(escapeText(source.slice(done)))
  return written.join('') + tags.closeAll()
}

/** A `<` in a sentence is one: `1 < 2`, `I <3 you`. */
function isTag(inside: string): boolean {
  return tagName(inside) !== '' || /^[!?]/.test(inside) || isTimestamp(inside)
}

function escapeText(text: string): string {
  return text
    .replace(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/**
 * Many SubRip files carry styles of another format, such as `{\an8}`, and players hide them. The one that
 * says more than how letters look, at the top (7 to 9 on a number pad), is told.
 */
function withoutOverrides(markup: string): { text: string; atTop: boolean } {
  let atTop = false
  const text = markup.replace(/\{\\[^{}<>]*\}/g, (override) => {
    atTop ||= /\\an[789]/.test(override)
    return ''
  })
  // What is left of a broken one must not join with its surroundings to a new one.
  return { text: text.replace(/\{\\+/g, '{'), atTop }
}

/** Numbers only count the cues, and the names of other blocks would turn the cue into one. */
function cleanId(id: string): string {
  const words = safeWords(id)
  return /^\d*$|^(WEBVTT|NOTE|STYLE|REGION)/.test(words) ? '' : words
}
