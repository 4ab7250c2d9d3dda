import { type ReactNode, useEffect } from 'react'
import { words } from '../../words.ts'
import styles from './sign-in.module.css'

/** A page for people who are not signed in. */
export function Entry({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`
  }, [title])
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
