import { createContext, type ReactNode, use, useMemo, useRef, useState } from 'react'
import { keptNotes } from '../kept-notes.ts'
import { useShortcuts } from '../shortcuts/use-shortcuts.ts'
import { words } from '../words.ts'
import { isStaying, type Note, Toast } from './toast.tsx'
import styles from './toasts.module.css'

/** So many are shown of those that go by themselves. */
const MOST = 3

/** From before the page was loaded anew. */
const BEFORE: readonly Note[] = keptNotes.map((title, i) => ({ id: -i - 1, title, isKept: true }))

export interface Notify {
  /** `undo` is offered as a button, and by a key, for as long as the note is there. */
  done(title: string, undo?: () => void): void
  /** It stays until somebody has read it. `retry` is offered as a button. */
  failed(title: string, error: unknown, retry?: () => void): void
}

const Context = createContext<Notify>({ done() {}, failed() {} })

export const useNotify = (): Notify => use(Context)

/** Short notes at the lower edge: what was done, with a way to undo it, or what could not be done. */
export function Toasts({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState(BEFORE)
  const last = useRef(0)
  const close = (id: number) => setNotes((shown) => shown.filter((note) => note.id !== id))
  const notify = useMemo<Notify>(() => {
    const add = (note: Omit<Note, 'id'>) => {
      const id = ++last.current
      setNotes((shown) => [...withRoom(shown), { ...note, id }])
    }
    return {
      done: (title, undo) => add({ title, undo }),
      failed: (title, error, retry) => add({ title, failure: { error, retry } }),
    }
  }, [])
  useShortcuts({
    undo() {
      const note = [...notes].reverse().find(({ undo }) => undo)
      if (!note) return false
      note.undo?.()
      close(note.id)
    },
  })
  return (
    <Context value={notify}>
      {children}
      <section className={styles.viewport} aria-label={words.common.notes} aria-live="polite">
        {notes.map((note) => (
          <Toast key={note.id} note={note} onClose={() => close(note.id)} />
        ))}
      </section>
    </Context>
  )
}

/** For one more. What stays until it is read is not pushed out by what follows. */
function withRoom(shown: readonly Note[]): readonly Note[] {
  const passing = shown.filter((note) => !isStaying(note)).slice(1 - MOST)
  return shown.filter((note) => isStaying(note) || passing.includes(note))
}
