import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { words } from '../words.ts'
import styles from './dialog.module.css'
import { Icon } from './icons.tsx'

export interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  /** Buttons at its end. */
  actions?: ReactNode
  isWide?: boolean
  /** It goes by its own buttons alone: what it shows could not be shown again. */
  isKept?: boolean
  /** What it began is under way: it stays, to show how that ended. */
  isBusy?: boolean
  /** It is only read: nothing in it takes the focus, so that it does itself, and keys scroll it. */
  isRead?: boolean
}

/** The dialog itself: it is loaded when one is first opened. */
export function DialogPopup({ title, isOpen, onClose, children, actions, ...rest }: DialogProps) {
  const { isWide, isKept, isBusy, isRead } = rest
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal={isKept || isBusy || false}
      onOpenChange={(open) => !open && !isKept && !isBusy && onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop!} />
        <Base.Popup className={styles.dialog!} data-wide={isWide || undefined}>
          <header className={styles.header}>
            <Base.Title>{title}</Base.Title>
            {!isKept && (
              <Base.Close
                aria-label={words.common.close}
                className={styles.close!}
                disabled={isBusy ?? false}
              >
                <Icon name="close" />
              </Base.Close>
            )}
          </header>
          <div className={styles.body} {...(isRead && { tabIndex: 0, role: 'region', 'aria-label': title })}>
            {children}
          </div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
