import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { badRequest } from '../../base/errors.ts'

const derive = promisify(argon2)

// OWASP's first choice for argon2id: 19 MiB, two passes.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const SHORTEST = 10

export function refuseWeakPassword(password: string): void {
  if (password.length < SHORTEST) throw badRequest(`password: must have at least ${SHORTEST} characters`)
}

/** The usual text form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', { message: password.normalize(), nonce: salt, ...COST })
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = FORM.exec(stored)
  if (!parts) return false
  const expected = Buffer.from(parts[5]!, 'base64')
  const tag = await derive('argon2id', {
    message: password.normalize(),
    nonce: Buffer.from(parts[4]!, 'base64'),
    memory: Number(parts[1]),
    passes: Number(parts[2]),
    parallelism: Number(parts[3]),
    tagLength: expected.length,
  })
  return timingSafeEqual(tag, expected)
}

/** Checks are made for at least so many accounts, so that the time does not tell whether an address has one or two. */
const FEWEST_CHECKS = 2

/** The first account that the password is of. */
export async function matchingAccount<A extends { password_hash: string | null }>(
  password: string,
  accounts: A[],
): Promise<A | undefined> {
  for (const account of accounts)
    if (
      account.password_hash
        ? await verifyPassword(password, account.password_hash)
        : await verifyNothing(password)
    )
      return account
  for (let checks = accounts.length; checks < FEWEST_CHECKS; checks++) await verifyNothing(password)
  return undefined
}

async function verifyNothing(password: string): Promise<false> {
  await derive('argon2id', { message: password, nonce: Buffer.alloc(16), ...COST })
  return false
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
