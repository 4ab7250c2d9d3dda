import { type ReactNode, useId } from 'react'
import { Failure } from './failure.tsx'
import styles from './section.module.css'

interface SectionProps {
  title: string
  /** A sentence on what it is for. */
  about?: string
  /** What can be done in it. */
  actions?: ReactNode
  /** Shown in the place of what it is about, with a way to try again. */
  error?: unknown
  onRetry?: () => void
  children: ReactNode
}

/** A part of a page with a title of its own. */
export function Section({ title, about, actions, error, onRetry, children }: SectionProps) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.header}>
        <div>
          <h2 id={id}>{title}</h2>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {error ? <Failure error={error} {...(onRetry && { reset: onRetry })} /> : children}
    </section>
  )
}

/** What there is to see on the left, what there is to know on the right; on a phone one below the other. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{main}</div>
      <div className={styles.side}>{side}</div>
    </div>
  )
}
