import { words } from '../words.ts'
import styles from './failure.module.css'

export function NotFound() {
  return (
    <div className={styles.failure}>
      <h1>{words.common.notFound}</h1>
      <p>{words.common.notFoundText}</p>
      <a href="/console/">{words.product}</a>
    </div>
  )
}
