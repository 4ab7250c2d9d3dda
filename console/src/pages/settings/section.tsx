import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import styles from './section.module.css'

interface SectionProps {
  title: string
  /** A sentence on what it is for. */
  about?: string
  actions?: ReactNode
  /** In the place of what it is about, with a way to try again. */
  error?: unknown
  onRetry?: () => void
  children: ReactNode
}

/** A part of the settings: a heading, what it is for, what can be done, and the things themselves. */
export function Section({ title, about, actions, error, onRetry, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.header}>
        <div>
          <h2>{title}</h2>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {error ? <Failure error={error} {...(onRetry && { reset: onRetry })} /> : children}
    </section>
  )
}
