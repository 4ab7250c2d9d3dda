import { type ComponentProps, useId } from 'react'
import styles from './field.module.css'

interface SelectProps extends ComponentProps<'select'> {
  label: string
  hint?: string
  /** What is sent, and what people read. */
  choices: readonly (readonly [value: string, text: string])[]
}

/** A label and a few things to choose one of. */
export function Select({ label, hint, choices, id, ...rest }: SelectProps) {
  const own = useId()
  const inputId = id ?? own
  return (
    <div className={styles.field}>
      <label htmlFor={inputId}>{label}</label>
      <select
        {...rest}
        id={inputId}
        className={styles.input}
        aria-describedby={hint ? `${inputId}-hint` : undefined}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${inputId}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
