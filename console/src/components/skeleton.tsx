import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

/** Stands where something is about to be, in its size, so that nothing moves when it comes. */
export function Skeleton({ width = '100%', height = '1em' }: Pick<CSSProperties, 'width' | 'height'>) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
}
