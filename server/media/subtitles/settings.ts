const PERCENTAGE = '(?:100(?:\\.0{1,9})?|\\d{1,2}(?:\\.\\d{1,9})?)%'

const VALID: Record<string, RegExp> = {
  vertical: /^(rl|lr)$/,
  line: new RegExp(`^(-?\\d{1,4}|${PERCENTAGE})(,(start|center|end))?$`),
  position: new RegExp(`^${PERCENTAGE}(,(line-left|center|line-right))?$`),
  size: new RegExp(`^${PERCENTAGE}$`),
  align: /^(start|center|end|left|right)$/,
}

/**
 * The settings of a cue that WebVTT knows, each once. Regions go, because their definitions do, and so do
 * the coordinates of SubRip. `align:middle` is what `center` was called at first.
 */
export function cleanSettings(settings: string): string {
  const kept = new Map<string, string>()
  for (const setting of settings.trim().split(/\s+/)) {
    const colon = setting.indexOf(':')
    const name = setting.slice(0, Math.max(colon, 0))
    const value = setting === 'align:middle' ? 'center' : setting.slice(colon + 1)
    if (Object.hasOwn(VALID, name) && VALID[name]?.test(value)) kept.set(name, value)
  }
  return [...kept].map(([name, value]) => `${name}:${value}`).join(' ')
}
