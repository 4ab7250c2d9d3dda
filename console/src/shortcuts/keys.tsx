import { Fragment } from 'react'
import { words } from '../words.ts'
import styles from './keys.module.css'
import { strokesOf } from './shortcuts.ts'

/** Keys as they are written on a keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {strokesOf(keys).map((stroke, i) => (
        <Fragment key={stroke.join()}>
          {i > 0 && <span className={styles.then}>{words.shortcuts.after}</span>}
          {stroke.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
