import { isIP } from 'node:net'

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

/** The address of a server with its credentials: its value never appears in a log or a message. */
export function serverUrl(name: string, protocols: string[], about: string): Setting<string | undefined> {
  const parse = (given: string) => {
    if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol))
      throw new Error(`it is not an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
    return given
  }
  return { name, fallback: undefined, shown: '', about, parse }
}

/** Servers over HTTP: groups with commas between them, and in each those that are alike with `|` between them. */
export function replicatedUrls(name: string, about: string): Setting<string[][]> {
  const isUrl = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  const parse = (given: string) => {
    const groups = given.split(',').map((group) => group.split('|').map((url) => url.trim()))
    // It may hold a password.
    if (!groups.flat().every(isUrl))
      throw new Error('one of its addresses does not begin with http:// or https://.')
    return groups
  }
  return { name, fallback: [], shown: '', about, parse }
}

/** Addresses and subnets, such as 10.0.0.1 or 10.0.0.0/8. */
export function networks(name: string, about: string): Setting<string[]> {
  const parse = (given: string) => {
    const items = given
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
    const wrong = items.find((item) => {
      const [address = '', bits, ...rest] = item.split('/')
      const longest = isIP(address) === 4 ? 32 : 128
      return (
        isIP(address) === 0 ||
        rest.length > 0 ||
        (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= longest))
      )
    })
    if (wrong) throw new Error(`"${wrong}" is neither an address nor a subnet such as 10.0.0.0/8.`)
    return items
  }
  return { name, fallback: [], shown: '', about, parse }
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

/** Names and what each stands for, `name=value`; a value may be a secret, so no message repeats it. */
export function pairs(
  name: string,
  fallback: [string, string][],
  about: string,
): Setting<[string, string][]> {
  const parse = (given: string) =>
    given
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
      .map((item, i): [string, string] => {
        // A value may hold further equals signs: base64 does.
        const [, key, value] = /^([^=\s]+)=(.+)$/.exec(item) ?? []
        if (!key || !value) throw new Error(`its item ${i + 1} is not of the form name=value.`)
        return [key, value]
      })
  const shown = fallback.map((pair) => pair.join('=')).join(',')
  return { name, fallback, shown, about, parse }
}

export function url(name: string, fallback: string | undefined, about: string): Setting<string | undefined> {
  const parse = (given: string) => {
    if (!URL.canParse(given) || !/^https?:\/\/[^?#]+$/.test(given))
      throw new Error(`"${given}" is not an http or https address.`)
    return given.replace(/\/+$/, '')
  }
  return { name, fallback, shown: fallback ?? '', about, parse }
}

const UNITS = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }

/** Bytes, written as a number with or without a binary unit: `10GiB`. */
export function size(name: string, fallback: string, about: string, { min = 0 } = {}): Setting<number> {
  const parse = (given: string) => {
    const match = /^(\d+) ?(KiB|MiB|GiB|TiB|)$/.exec(given)
    if (!match) throw new Error(`"${given}" is not a size such as 500MiB or 10GiB.`)
    const bytes = Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
    if (bytes < min) throw new Error(`"${given}" is too small.`)
    return bytes
  }
  return { name, fallback: parse(fallback), shown: fallback, about, parse }
}
