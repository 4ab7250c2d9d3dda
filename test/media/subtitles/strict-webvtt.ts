import type { Cue } from '../../../server/media/subtitles/port.ts'

/**
 * WebVTT by the letter of its syntax, which is stricter than how players read it, and written apart from the
 * service's own reader. Throws at the first thing that is not right.
 */
export function readStrictly(file: string): { header: string; cues: Cue[] } {
  refuseIf(/[\r\0\ufeff]/.test(file), 'a character that has no place in the file')
  refuseIf(!file.endsWith('\n'), 'no line end at the end')
  const [header = '', ...blocks] = file.split('\n\n')
  refuseIf(!/^WEBVTT(\nX-TIMESTAMP-MAP=MPEGTS:\d+,LOCAL:\d\d:\d\d:\d\d\.\d{3})?$/.test(header), 'header')
  const last = blocks.pop()
  const cues = (last ? [...blocks, last.slice(0, -1)] : blocks).map(readBlock)
  const ids = cues.flatMap(({ id }) => id ?? [])
  refuseIf(new Set(ids).size < ids.length, 'an id twice')
  refuseIf(
    cues.some((cue, at) => cue.start < (cues[at - 1]?.start ?? 0)),
    'cues out of order',
  )
  return { header, cues }
}

const TIME = String.raw`(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})`
const TIMES = new RegExp(`^${TIME} --> ${TIME}(| .+)$`)

function readBlock(block: string): Cue {
  const lines = block.split('\n')
  const id = lines[0]?.includes('-->') ? undefined : lines.shift()
  const times = TIMES.exec(lines.shift() ?? '')
  refuseIf(!times, `times of ${block}`)
  const parts = times?.slice(1) ?? []
  const [start, end] = [milliseconds(parts.slice(0, 4)), milliseconds(parts.slice(4, 8))]
  refuseIf(end <= start, 'ends before it starts')
  const settings = parts[8]?.slice(1) ?? ''
  if (settings !== '') readSettings(settings)
  refuseIf(lines.length === 0 || lines.includes(''), 'no text')
  const text = lines.join('\n')
  refuseIf(text.includes('-->'), 'an arrow in the text')
  readText(text, start, end)
  return { start, end, settings, text, ...(id !== undefined && { id }) }
}

function milliseconds([hours, minutes, seconds, rest]: string[]): number {
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(rest)
}

const SETTING =
  /^(vertical:(rl|lr)|line:(-?\d+|[\d.]+%)(,(start|center|end))?|position:[\d.]+%(,(line-left|center|line-right))?|size:[\d.]+%|align:(start|center|end|left|right))$/

function readSettings(settings: string): void {
  const names = settings.split(' ').map((setting) => {
    refuseIf(!SETTING.test(setting), `setting ${setting}`)
    refuseIf(Number(/([\d.]+)%/.exec(setting)?.[1] ?? 0) > 100, 'over 100 per cent')
    return setting.split(':')[0]
  })
  refuseIf(new Set(names).size < names.length, 'a setting twice')
}

const CLASSES = String.raw`(?:\.[\p{L}\p{N}_-]+)*`
const START_TAG = new RegExp(
  `^(?:([cibu]|ruby|rt)${CLASSES}|(v)${CLASSES} [\\p{L}\\p{M}\\p{N} ’._,-]+|(lang)${CLASSES} [A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)$`,
  'u',
)

function readText(text: string, start: number, end: number): void {
  const open: (string | undefined)[] = []
  let lastTime = start
  for (const [token] of text.matchAll(/<[^>]*>|[^<]+|</g)) {
    if (!token.startsWith('<')) {
      refuseIf(/>|&(?!(amp|lt|gt|nbsp|lrm|rlm);)/.test(token), `unescaped ${token}`)
      continue
    }
    const inside = token.slice(1, -1)
    const time = new RegExp(`^${TIME}$`).exec(inside)
    if (time) {
      const at = milliseconds(time.slice(1))
      refuseIf(at <= lastTime || at >= end, `a time outside of its cue: ${token}`)
      lastTime = at
    } else if (inside.startsWith('/')) refuseIf(open.pop() !== inside.slice(1), `${token} closes nothing`)
    else {
      const tag = START_TAG.exec(inside)
      refuseIf(!token.endsWith('>') || !tag, `tag ${token}`)
      refuseIf(tag?.[1] === 'rt' && open.at(-1) !== 'ruby', 'rt outside of ruby')
      open.push(tag?.slice(1).find(Boolean))
    }
  }
  refuseIf(open.length > 0, `left open: ${open}`)
}

function refuseIf(wrong: boolean, why: string): void {
  if (wrong) throw new Error(`not valid WebVTT: ${why}`)
}
