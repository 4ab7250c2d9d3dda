/** The language of a tag in its usual short form, so that `fra`, `fre` and `fr-CA` are one; none for nonsense. */
export function languageOf(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.split('-')[0]
  } catch {
    return undefined
  }
}
