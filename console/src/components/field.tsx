import { type ComponentProps, useId } from 'react'
import styles from './field.module.css'

interface FieldProps extends ComponentProps<'input'> {
  label: string
  /** A sentence below it. */
  hint?: string
  /** What is wrong with what is in it. */
  error?: string | undefined
}

/** A label, an input, and what is to be known about it. */
export function Field({ label, hint, error, id, ...rest }: FieldProps) {
  const own = useId()
  const inputId = id ?? own
  const about = error ? `${inputId}-error` : hint ? `${inputId}-hint` : undefined
  return (
    <div className={styles.field}>
      <label htmlFor={inputId}>{label}</label>
      <input
        {...rest}
        id={inputId}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={about}
      />
      {error ? (
        <p id={about} className={styles.error}>
          {error}
        </p>
      ) : (
        hint && (
          <p id={about} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

export function TextArea({
  label,
  hint,
  id,
  ...rest
}: ComponentProps<'textarea'> & { label: string; hint?: string }) {
  const own = useId()
  const inputId = id ?? own
  return (
    <div className={styles.field}>
      <label htmlFor={inputId}>{label}</label>
      <textarea
        {...rest}
        id={inputId}
        className={styles.input}
        aria-describedby={hint && `${inputId}-hint`}
      />
      {hint && (
        <p id={`${inputId}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
