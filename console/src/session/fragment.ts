import { useSyncExternalStore } from 'react'

/**
 * What a link brings after `#`: tokens, or why an issuer led back. It is taken out of the address at once, so that nobody
 * reads it over a shoulder, in the history or in a bookmark.
 */
let taken = new URLSearchParams()
const listeners = new Set<() => void>()

function take(): void {
  const given = new URLSearchParams(location.hash.slice(1))
  if (!['link', 'token', 'error'].some((name) => given.has(name))) return
  taken = given
  history.replaceState(history.state, '', location.pathname + location.search)
  for (const listener of listeners) listener()
}

take()
// Somebody who pastes a link into a page that is open already.
addEventListener('hashchange', take)

/** The part of that name, if the page was opened by a link with it. */
export function useFragment(name: 'link' | 'token' | 'error'): string | undefined {
  return useSyncExternalStore(subscribe, () => taken.get(name) ?? undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
