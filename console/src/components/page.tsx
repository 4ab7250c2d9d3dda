import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { words } from '../words.ts'
import styles from './page.module.css'

/** A page of the console: its title, what can be done on it, and what it is about. */
export function Page({
  title,
  actions,
  heading,
  children,
}: {
  title: string
  actions?: ReactNode
  /** In the place of the title and the actions. */
  heading?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`
  }, [title])
  return (
    <div className={styles.page}>
      {heading ?? (
        <header className={styles.header}>
          <h1>{title}</h1>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </div>
  )
}
