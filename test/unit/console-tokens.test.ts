import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../../console/src')
const tokens = readFileSync(path.join(src, 'styles/tokens.css'), 'utf8')
const sheets = globSync('**/*.css', { cwd: src })
  .filter((file) => !file.endsWith('tokens.css'))
  .map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }))

test('colours, sizes of text and the one radius are in one file', () => {
  const own = (wrong: RegExp) =>
    sheets.flatMap(({ file, text }) => (text.match(wrong) ?? []).map((line) => `${file}: ${line.trim()}`))
  expect(own(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/gi)).toEqual([])
  // What follows the text around it is as much larger or smaller as that is.
  expect(own(/font-size:(?! *(?:var\(--text-|[\d.]+em))[^;]+/g)).toEqual([])
  expect(own(/border-radius:(?! *(?:var\(--radius\)|calc\(var\(--radius\)|inherit|0;|50%))[^;]+/g)).toEqual(
    [],
  )
  expect(tokens.match(/--radius[\w-]*:/g)).toEqual(['--radius:'])
})

type Colour = [number, number, number]

/** A colour of the tokens, in light and in dark, as parts of light. */
function lightOf(name: string, theme: 'light' | 'dark'): Colour {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!
  const text = theme === 'light' ? light! : dark!
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(text.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Colour
}

/** What is left of a colour where one kind of cone is missing: Machado, Oliveira and Fernandes, 2009. */
const SIGHTS: Record<string, Colour[]> = {
  everybody: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const seen = (colour: Colour, sight: Colour[]): Colour =>
  sight.map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        row.reduce((sum, part, i) => sum + part * colour[i]!, 0),
      ),
    ),
  ) as Colour

const luminance = ([r, g, b]: Colour) => 0.2126 * r + 0.7152 * g + 0.0722 * b
function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

test.each(Object.keys(SIGHTS))('what charts and notes draw is seen by %s', (name) => {
  const sight = SIGHTS[name]!
  for (const theme of ['light', 'dark'] as const) {
    const of = (token: string) => seen(lightOf(token, theme), sight)
    // Of what is drawn: 3; of what is written: 4.5.
    for (const drawn of ['accent', 'line-strong'])
      expect(contrast(of(drawn), of('ground')), `${drawn}, ${theme}`).toBeGreaterThanOrEqual(3)
    for (const written of ['text', 'text-soft', 'good', 'warning', 'danger'])
      expect(contrast(of(written), of('ground')), `${written}, ${theme}`).toBeGreaterThanOrEqual(4.5)
    // The period before is not taken for this one, even without its dashes.
    expect(contrast(of('accent'), of('line-strong')), theme).toBeGreaterThanOrEqual(1.3)
  }
})
