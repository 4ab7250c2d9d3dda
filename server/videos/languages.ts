const LONGEST = 35

/**
 * A language tag as BCP 47 writes it: `EN-us` is `en-US`, `iw` is `he`. Undefined for what is not well
 * formed. The language itself must have two or three letters: longer ones are well formed too, but none was
 * ever assigned, and `english` is a mistake. That also refuses what is private as a whole, such as `x-mine`.
 */
export function canonicalLanguage(code: string): string | undefined {
  if (code.length > LONGEST || !/^[a-z]{2,3}(-|$)/i.test(code)) return undefined
  try {
    const [canonical] = Intl.getCanonicalLocales(withoutMacrolanguage(code))
    return canonical && canonical.length <= LONGEST ? canonical : undefined
  } catch {
    return undefined
  }
}

/** Intl does not know the older way to write some languages, `zh-yue` for `yue`, which BCP 47 still has. */
function withoutMacrolanguage(code: string): string {
  return code.replace(/^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-([a-z]{3})(?=-|$)/i, '$1')
}

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** In English; the code itself where the language is unknown. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

// ISO 639-1 without the codes it has withdrawn.
const LANGUAGE_CODES = `
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
  el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io
  is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn
  mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se
  sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt ty ug uk ur uz ve vi vo wa wo
  xh yi yo za zh zu`

const OTHER_CODES = `
  ast ceb ckb fil gsw haw hmn yue
  ar-EG de-AT de-CH en-AU en-CA en-GB en-IN en-US es-419 es-ES es-MX fr-BE fr-CA fr-CH fr-FR nl-BE
  pt-BR pt-PT sr-Cyrl sr-Latn zh-Hans zh-Hant zh-Hant-HK zh-Hant-TW`

const byName = new Intl.Collator('en').compare

/** What to offer where somebody chooses a language. Others are accepted as well. */
export const LANGUAGES: { code: string; name: string }[] = `${LANGUAGE_CODES} ${OTHER_CODES}`
  .trim()
  .split(/\s+/)
  .map((code) => ({ code, name: languageName(code) }))
  .sort((one, other) => byName(one.name, other.name))
