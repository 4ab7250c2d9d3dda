import { createContext, type ReactNode, use, useMemo, useRef, useState } from 'react'
import { messageOf, requestIdOf } from '../api.ts'
import { words } from '../words.ts'
import { Button, IconButton } from './button.tsx'
import styles from './toasts.module.css'

const SHOWN_MS = 6000

interface Toast {
  id: number
  title: string
  details?: string
  undo?: (() => void) | undefined
  hasFailed?: boolean
}

export interface Notify {
  /** `undo` is offered as a button for as long as the note is there. */
  done(title: string, undo?: () => void): void
  failed(title: string, error: unknown): void
}

const Context = createContext<Notify>({ done() {}, failed() {} })

export const useNotify = (): Notify => use(Context)

/** Short notes at the lower edge: what was done, with a way to undo it, or what could not be done. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const last = useRef(0)
  const close = (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id))
  const notify = useMemo<Notify>(() => {
    const add = (toast: Omit<Toast, 'id'>) => {
      const id = ++last.current
      setToasts((shown) => [...shown.slice(-2), { ...toast, id }])
      // What went wrong stays until somebody has read it.
      if (!toast.hasFailed) setTimeout(close, SHOWN_MS, id)
    }
    return {
      done: (title, undo) => add({ title, undo }),
      failed: (title, error) =>
        add({
          title,
          details: [messageOf(error), requestIdOf(error)].filter(Boolean).join(' · '),
          hasFailed: true,
        }),
    }
  }, [])
  return (
    <Context value={notify}>
      {children}
      <section className={styles.viewport} aria-label={words.common.notes} aria-live="polite">
        {toasts.map(({ id, title, details, undo, hasFailed }) => (
          <div
            key={id}
            className={styles.toast}
            data-kind={hasFailed ? 'failed' : undefined}
            role={hasFailed ? 'alert' : undefined}
          >
            <div className={styles.text}>
              <p className={styles.title}>{title}</p>
              {details && <p className={styles.description}>{details}</p>}
            </div>
            {undo && (
              <Button
                onClick={() => {
                  undo()
                  close(id)
                }}
              >
                {words.common.undo}
              </Button>
            )}
            <IconButton label={words.common.dismiss} icon="close" onClick={() => close(id)} />
          </div>
        ))}
      </section>
    </Context>
  )
}
