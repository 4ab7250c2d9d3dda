/** One environment variable: its name, its default, what it means, and how its text becomes a value. */
export interface Setting<T> {
  name: string
  fallback: T
  /** The default as the documentation shows it. */
  shown: string
  about: string
  parse: (given: string) => T
}

export function text<F extends string | undefined>(
  name: string,
  fallback: F,
  about: string,
): Setting<string | F> {
  return { name, fallback, shown: fallback ?? '', about, parse: (given) => given }
}

/** A value that never appears in a log or a message. */
export function secret(name: string, about: string): Setting<string | undefined> {
  return text(name, undefined, about)
}

export function wholeNumber(
  name: string,
  fallback: number,
  about: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): Setting<number> {
  const parse = (given: string) => {
    const value = Number(given)
    if (!/^\d+$/.test(given) || value < min || value > max)
      throw new Error(`"${given}" is not a whole number from ${min} to ${max}.`)
    return value
  }
  return { name, fallback, shown: String(fallback), about, parse }
}

export function oneOf<const V extends string>(
  name: string,
  values: readonly V[],
  fallback: V,
  about: string,
): Setting<V> {
  const parse = (given: string) => {
    const value = values.find((candidate) => candidate === given)
    if (!value) throw new Error(`"${given}" is not one of ${values.join(', ')}.`)
    return value
  }
  return {
    name,
    fallback,
    shown: fallback,
    about: `${about} One of ${values.map((v) => `\`${v}\``).join(', ')}.`,
    parse,
  }
}

export function list(name: string, fallback: string[], about: string): Setting<string[]> {
  const parse = (given: string) =>
    given
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  return { name, fallback, shown: fallback.join(','), about, parse }
}

export function url(name: string, fallback: string | undefined, about: string): Setting<string | undefined> {
  const parse = (given: string) => {
    if (!URL.canParse(given) || !/^https?:/.test(given))
      throw new Error(`"${given}" is not an http or https address.`)
    return given.replace(/\/+$/, '')
  }
  return { name, fallback, shown: fallback ?? '', about, parse }
}

const UNITS = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }

/** Bytes, written as a number with or without a binary unit: `10GiB`. */
export function size(name: string, fallback: string, about: string): Setting<number> {
  const parse = (given: string) => {
    const match = /^(\d+) ?(KiB|MiB|GiB|TiB|)$/.exec(given)
    if (!match) throw new Error(`"${given}" is not a size such as 500MiB or 10GiB.`)
    return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
  }
  return { name, fallback: parse(fallback), shown: fallback, about, parse }
}
