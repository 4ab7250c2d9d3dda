import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { messageOf, requestIdOf } from '../api.ts'
import { words } from '../words.ts'
import { Button, IconButton } from './button.tsx'
import styles from './toasts.module.css'

/** Short notes at the lower edge: what was done, with a way to undo it, or what could not be done. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={6000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport!}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts, close } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast!} data-kind={toast.type}>
      <div className={styles.text}>
        <Toast.Title className={styles.title!} render={<p />} />
        <Toast.Description className={styles.description!} />
      </div>
      {toast.actionProps && (
        <Button
          onClick={(event) => {
            toast.actionProps?.onClick?.(event as never)
            close(toast.id)
          }}
        >
          {toast.actionProps.children}
        </Button>
      )}
      <IconButton label={words.common.dismiss} icon="close" onClick={() => close(toast.id)} />
    </Toast.Root>
  ))
}

export interface Notify {
  /** `undo` is offered as a button for as long as the note is there. */
  done(text: string, undo?: () => void): void
  failed(text: string, error: unknown): void
}

export function useNotify(): Notify {
  const { add } = Toast.useToastManager()
  return {
    done: (title, undo) =>
      void add({ title, ...(undo && { actionProps: { children: words.common.undo, onClick: undo } }) }),
    failed: (title, error) =>
      void add({
        title,
        description: [messageOf(error), requestIdOf(error)].filter(Boolean).join(' · '),
        type: 'failed',
        priority: 'high',
        timeout: 0,
      }),
  }
}
