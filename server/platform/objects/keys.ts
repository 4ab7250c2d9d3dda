const SEGMENT = /^[A-Za-z0-9._-]{1,255}$/
const LONGEST = 300

/** Keys are made by the service; one of another form is a mistake in it and must not reach a store. */
export function checkKey(key: string): void {
  if (key.length > LONGEST || !key.split('/').every(isSafe)) throw badKey(key)
}

/** A prefix is whole segments and a closing slash: `a/b/` never means `a/bc`. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw badKey(prefix)
  checkKey(prefix.slice(0, -1))
}

function isSafe(segment: string): boolean {
  return SEGMENT.test(segment) && segment !== '.' && segment !== '..'
}

function badKey(key: string): TypeError {
  return new TypeError(`not a key of an object: ${JSON.stringify(key)}`)
}
