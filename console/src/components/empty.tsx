import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** A page without anything on it yet: what it is for, and how to begin. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}
