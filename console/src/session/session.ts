import { createClient, MarqueeError, type Schemas } from '@marquee/client'

type AccessToken = Schemas['AccessToken']

const SIGNED_OUT = 'signed out'
const SIGNED_IN = 'signed in'

/**
 * The access token is in this page's memory alone; what renews it is in a cookie that no script can read. Pages of one
 * browser tell each other when somebody signs in or out.
 */
let token: string | undefined
let renewal: Promise<boolean> | undefined
let end: SessionEnd | undefined
const listeners = new Set<() => void>()
const channel = new BroadcastChannel('marquee-session')
channel.onmessage = ({ data }) => {
  if (data === SIGNED_OUT) forget('elsewhere')
  // Whoever waits here to sign in is led on.
  else if (!token) renew().catch(() => {})
}

/** By one's own hand, in another tab, or because the service does not know the session any more. */
type SessionEnd = 'signed-out' | 'elsewhere' | 'ended'

/** How the last session of this page ended, until another one begins. */
export const sessionEnd = (): SessionEnd | undefined => end

/** Calls without a sign-in, and those that begin one. */
export const open = createClient({ retries: 1 })

export const hasToken = (): boolean => token !== undefined

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function signIn(email: string, password: string): Promise<void> {
  enter(await open.post('/auth/v1/browser/session', { body: { email, password } }))
}

/** By a link that works once. */
export async function signInByLink(link: string): Promise<void> {
  enter(await open.post('/auth/v1/browser/session/link', { body: { link } }))
}

/** Somebody new, or somebody who joins one more organization, is signed in by accepting. */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  enter(await open.post('/auth/v1/browser/session/invitation', { body: { token, password } }))
}

function enter(answer: AccessToken): void {
  begin(answer)
  channel.postMessage(SIGNED_IN)
}

function begin(answer: AccessToken): void {
  token = answer.access_token
  end = undefined
  tell()
}

/** Whether the browser is signed in: its cookie gets this page a token. One request for all who ask at once. */
export function renew(): Promise<boolean> {
  renewal ??= open
    .post('/auth/v1/browser/session/renew', { isRepeatable: true })
    .then((answer) => {
      begin(answer)
      return true
    })
    .catch((error) => {
      // Without an answer nobody knows; only the service can say that somebody is signed out.
      if (!(error instanceof MarqueeError) || error.status !== 401) throw error
      forget('ended')
      return false
    })
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

export async function signOut(): Promise<void> {
  await open.delete('/auth/v1/browser/session').catch(() => {})
  channel.postMessage(SIGNED_OUT)
  forget('signed-out')
}

function forget(how: SessionEnd): void {
  if (token === undefined) return
  token = undefined
  end = how
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** As `fetch`, with the token, and once more with a new one where it has expired. */
export async function fetchSignedIn(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const used = token
  const response = await fetch(input, withToken(init))
  if (response.status !== 401) return response
  const isRenewed = used !== token || (await renew())
  return isRenewed ? fetch(input, withToken(init)) : response
}

function withToken(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}
