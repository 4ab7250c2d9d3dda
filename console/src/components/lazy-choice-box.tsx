import { lazy, Suspense, useId } from 'react'
import styles from './choice-box.module.css'
import type { ChoiceBoxProps } from './choice-box.tsx'

/** What offers choices is a quarter of a page, and is loaded beside the numbers. */
const Box = lazy(() => import('./choice-box.tsx').then((loaded) => ({ default: loaded.ChoiceBox })))

export function ChoiceBox(props: ChoiceBoxProps) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <Box {...props} />
    </Suspense>
  )
}

/** As it will look, before anything can be chosen. */
function Waiting({ label, value, choices, placeholder }: ChoiceBoxProps) {
  const id = useId()
  const chosen = choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.control}>
        <input id={id} className={styles.input} value={chosen} placeholder={placeholder} disabled />
      </div>
    </div>
  )
}
