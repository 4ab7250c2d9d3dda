import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { forbidden } from '../../base/errors.ts'
import { idPattern, type ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { publicKeyOf } from './store.ts'

// Never read from the token.
const ALGORITHM = 'EdDSA'
/** In `kid`, of tokens that the service signs itself. */
const OWN_KEY = 'marquee'
const KEY_ID = new RegExp(idPattern('signingKey'))
/** For how many seconds a clock may be wrong. */
const LEEWAY_SECONDS = 5
const REMEMBERED_KEYS = 1000
/** Letters of tokens that are remembered. */
const REMEMBERED = 8 * 2 ** 20
/** As JSON Web Tokens are written, and no longer than an address takes. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/
const MOST_LETTERS = 4096

const UNKNOWN_KEY = 'signed by a key that this project does not have, or has no more'

/** What a token that opens private media says. */
interface PlaybackClaims {
  /** The id of a video, an image, or a project, for all that is in it. */
  subject: string
  projectId?: ProjectId
  /** Unix time in seconds. */
  expiresAt: number
  /** An app’s own name for whoever watches. */
  viewer?: string
  /** Of renditions. */
  maxHeight?: number
  /** Of pages that may show the media. */
  origins?: string[]
}

/** Signs and reads tokens of viewers. */
export interface PlaybackTokens {
  sign(claims: PlaybackClaims & { projectId: ProjectId }): Promise<string>
  /** What a token says that opens media of a project; throws 403 with the reason where it does not. */
  read(token: string, project: ProjectKeys): Promise<PlaybackClaims>
}

/** A project with the signing keys that it has now. */
interface ProjectKeys {
  projectId: ProjectId
  keyIds: readonly string[]
}

interface ReadToken {
  keyId: string
  claims: PlaybackClaims
  notBefore: number
}

/**
 * Ed25519 with keys of projects, or with one of the service’s own, which is made of a secret that all processes share. A
 * signature that was right stays right, so a token is checked once for all the segments that it comes with. Whether its key
 * still stands is not remembered: whoever asks says which keys the project has.
 */
export function playbackTokens(sql: Sql, secret: string): PlaybackTokens {
  const own = ownKey(secret)
  const keys = new LRUCache<string, Promise<KeyObject | undefined>>({ max: REMEMBERED_KEYS })
  const verified = new LRUCache<string, ReadToken>({
    maxSize: REMEMBERED,
    sizeCalculation: (_, token) => token.length,
  })

  /** A key never changes. */
  function keyOf(id: string): Promise<KeyObject | undefined> {
    if (id === OWN_KEY) return own.publicKey
    const known = keys.get(id)
    if (known) return known
    const found = publicKeyOf(sql, id).then((pem) => (pem ? createPublicKey(pem) : undefined))
    keys.set(id, found)
    found.catch(() => keys.delete(id))
    return found
  }

  async function verify(token: string, keyId: string): Promise<ReadToken> {
    const key = await keyOf(keyId)
    if (!key) throw refused(UNKNOWN_KEY)
    const payload = await checkSignature(token, key)
    const read = { keyId, claims: claimsOf(payload), notBefore: payload.nbf ?? 0 }
    verified.set(token, read)
    return read
  }

  return {
    sign({ subject, projectId, expiresAt, viewer, maxHeight, origins }) {
      return new SignJWT({ viewer, max_height: maxHeight, origins })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: OWN_KEY })
        .setSubject(subject)
        .setAudience(projectId)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(own.privateKey)
    },
    async read(token, { projectId, keyIds }) {
      const known = verified.get(token)
      const keyId = known?.keyId ?? keyIdOf(token)
      const isOwn = keyId === OWN_KEY
      if (!isOwn && !keyIds.includes(keyId)) throw refused(UNKNOWN_KEY)
      const { claims, notBefore } = known ?? (await verify(token, keyId))
      // The service’s own key is for all projects, so that its tokens have to name theirs.
      if ((claims.projectId ?? (isOwn ? undefined : projectId)) !== projectId)
        throw refused('is for another project')
      const now = Date.now() / 1000
      if (claims.expiresAt + LEEWAY_SECONDS <= now) throw refused('has expired')
      if (notBefore - LEEWAY_SECONDS > now) throw refused('is not valid yet')
      return claims
    },
  }
}

/** PKCS #8 of an Ed25519 key, but for the 32 bytes that are the key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function ownKey(secret: string) {
  const der = Buffer.concat([PKCS8, Buffer.from(secret, 'base64url').subarray(0, 32)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: Promise.resolve(createPublicKey(privateKey)) }
}

/** Only to choose the key; nothing of the token is believed before that has checked it. */
function keyIdOf(token: string): string {
  if (token.length > MOST_LETTERS) throw refused(`is longer than ${MOST_LETTERS} letters`)
  if (!FORM.test(token)) throw refused('is malformed')
  let header: { kid?: unknown; alg?: unknown }
  try {
    header = decodeProtectedHeader(token)
  } catch {
    throw refused('is malformed')
  }
  const { kid, alg } = header
  if (alg !== ALGORITHM) throw refused(`is not signed by ${ALGORITHM}`)
  if (typeof kid !== 'string' || !(kid === OWN_KEY || KEY_ID.test(kid)))
    throw refused('names no signing key in its header, as kid')
  return kid
}

async function checkSignature(token: string, key: KeyObject): Promise<JWTPayload> {
  try {
    // When it begins and ends is looked at each time it comes.
    const currentDate = new Date(0)
    const options = { algorithms: [ALGORITHM], currentDate, clockTolerance: Number.MAX_SAFE_INTEGER }
    return (await jwtVerify(token, key, { ...options, requiredClaims: ['sub', 'exp'] })).payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) throw refused('has a wrong signature')
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refused(`has no ${error.claim}, or a wrong one`)
    throw refused('is malformed')
  }
}

function claimsOf(payload: JWTPayload): PlaybackClaims {
  const { sub, aud, exp, viewer, max_height: maxHeight, origins } = payload
  if (maxHeight !== undefined && !(Number.isSafeInteger(maxHeight) && (maxHeight as number) > 0))
    throw refused('has a max_height that is no height')
  const isList = Array.isArray(origins) && origins.every((origin) => typeof origin === 'string')
  if (origins !== undefined && !isList) throw refused('has origins that are no list of text')
  if (Array.isArray(aud)) throw refused('is for several projects')
  return {
    subject: sub!,
    expiresAt: exp!,
    ...(aud !== undefined && { projectId: aud as ProjectId }),
    ...(typeof viewer === 'string' && { viewer }),
    ...(maxHeight !== undefined && { maxHeight: maxHeight as number }),
    ...(origins !== undefined && { origins: origins as string[] }),
  }
}

export const refused = (why: string) => forbidden(`token: ${why}`)
