import type { ReactNode } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  title: string
  /** Nothing else on the page has a heading. */
  isAlone?: boolean
  children?: ReactNode
}

/** A page without anything on it yet: what it is for, and how to begin. */
export function Empty({ title, isAlone, children }: EmptyProps) {
  const Heading = isAlone ? 'h1' : 'h2'
  return (
    <div className={styles.empty}>
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}
