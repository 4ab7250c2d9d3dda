import { fetchSignedIn, hasToken } from '../session/session.ts'

/** Shut from when a session has ended until whoever began the uploads has signed in again. */
let gate: { opened: Promise<void>; open: () => void } | undefined

export function holdUploads(): void {
  if (gate) return
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  gate = { opened, open }
}

export function releaseUploads(): void {
  gate?.open()
  gate = undefined
}

/** As `fetchSignedIn`. Where the session has ended, it waits for another one instead of failing. */
export async function fetchPatiently(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  while (true) {
    if (gate) await unlessAborted(gate.opened, init.signal)
    const response = await fetchSignedIn(input, init)
    if (response.status !== 401 || hasToken()) return response
    holdUploads()
  }
}

function unlessAborted(work: Promise<void>, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal!.reason)
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop)
    work.then(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
  })
}
