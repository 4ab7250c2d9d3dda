import { createClient, MarqueeError, type Schemas } from '@marquee/client'

type AccessToken = Schemas['AccessToken']

/** What pages of one browser tell each other: who has signed in, or that somebody has signed out. */
type Told = { user: string | undefined }

/** The access token is in this page's memory alone; what renews it is in a cookie that no script can read. */
let token: string | undefined
/** Whose this page is: also while they are signed out by something else than their own hand. */
let user: string | undefined
let renewal: Promise<boolean> | undefined
let end: SessionEnd | undefined
const listeners = new Set<() => void>()
const channel = new BroadcastChannel('marquee-session')
channel.onmessage = ({ data }: MessageEvent<Told>) => {
  if (!data.user) forget('elsewhere')
  else if (user && user !== data.user) replace()
  // Whoever waits here to sign in is led on.
  else if (!token) renew().catch(() => {})
}

/**
 * By one's own hand, in another tab, because the service does not know the session any more, or because the browser is
 * somebody else's now.
 */
type SessionEnd = 'signed-out' | 'elsewhere' | 'ended' | 'replaced'

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
  await begin(await open.post('/auth/v1/browser/session', { body: { email, password } }))
}

/** By a link that works once. */
export async function signInByLink(link: string): Promise<void> {
  await begin(await open.post('/auth/v1/browser/session/link', { body: { link } }))
}

/** Somebody new, or somebody who joins one more organization, is signed in by accepting. */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  await begin(await open.post('/auth/v1/browser/session/invitation', { body: { token, password } }))
}

async function begin({ access_token }: AccessToken): Promise<void> {
  const subject = subjectOf(access_token)
  if (user && user !== subject) return replace()
  const isNew = token === undefined
  token = access_token
  user = subject
  end = undefined
  tell()
  // Also where a cookie did it, such as the one that an OpenID issuer's way back has set.
  if (isNew) channel.postMessage({ user } satisfies Told)
}

/** Whose an access token is: it is a JWT. */
function subjectOf(accessToken: string): string {
  const claims = accessToken.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(atob(claims)).sub
}

/** What this page shows and sends is another person's: it begins anew, and nothing that waits for a token goes on. */
function replace(): Promise<never> {
  token = undefined
  end = 'replaced'
  tell()
  return new Promise(() => {})
}

/** Whether the browser is signed in: its cookie gets this page a token. One request for all who ask at once. */
export function renew(): Promise<boolean> {
  renewal ??= open
    .post('/auth/v1/browser/session/renew', { isRepeatable: true })
    .then(async (answer) => {
      await begin(answer)
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

/** Fails where the service was not reached: its cookie, which only the service can take away, would sign in again. */
export async function signOut(): Promise<void> {
  await open.delete('/auth/v1/browser/session')
  channel.postMessage({ user: undefined } satisfies Told)
  forget('signed-out')
  user = undefined
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
