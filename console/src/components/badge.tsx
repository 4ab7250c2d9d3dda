import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A word on the state of something. */
export function Badge({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'warning'
  children: ReactNode
}) {
  return <span className={`${styles.badge} ${styles[kind]}`}>{children}</span>
}
