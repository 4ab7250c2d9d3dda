import { randomBytes } from 'node:crypto'
import { StartupError } from '../base/errors.ts'

export function choice<const V extends string>(option: string, given: string, values: readonly V[]): V {
  const value = values.find((candidate) => candidate === given)
  if (!value) throw new StartupError(`--${option} "${given}" is not one of ${values.join(', ')}.`)
  return value
}

export function wholeNumber(option: string, given: string, min = 0): number {
  const seconds = Number(given)
  if (!/^\d{1,9}$/.test(given) || seconds < min)
    throw new StartupError(`--${option} "${given}" is not a whole number of seconds from ${min} on.`)
  return seconds
}

export function id(option: string, given: string): number {
  if (!/^\d{1,15}$/.test(given))
    throw new StartupError(`--${option} "${given}" is not a number from the list.`)
  return Number(given)
}

export function name(given: string): string {
  if (!/^[^\x00-\x1f\x7f]{1,200}$/u.test(given))
    throw new StartupError('--name must have 1 to 200 characters and no control characters.')
  return given
}

export function email(given: string): string {
  // What signing in takes: plain letters, and no longer than mail allows.
  if (given.length > 254 || !/^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(given))
    throw new StartupError(`--email "${given}" is not an email address.`)
  return given
}

export function newPassword(): string {
  return randomBytes(18).toString('base64url')
}
