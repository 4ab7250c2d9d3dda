import { useNotify } from '../components/toasts.tsx'
import { words } from '../words.ts'
import { signOut } from './session.ts'

/** Signs out, or says that it did not happen: whoever comes next would otherwise be signed in by a reload. */
export function useSignOut(): () => void {
  const notify = useNotify()
  return function leave() {
    signOut().catch((error) => notify.failed(words.nav.notSignedOut, error, leave))
  }
}
