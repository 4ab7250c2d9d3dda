import styles from './inline-field.module.css'

interface InlineSelectProps<Value extends string> {
  label: string
  value: Value
  /** What is chosen, and what people read. */
  choices: readonly (readonly [value: Value, text: string])[]
  onChoose: (value: Value) => void
}

/** A few things to choose one of, in a row with others. */
export function InlineSelect<Value extends string>(props: InlineSelectProps<Value>) {
  const { label, value, choices, onChoose } = props
  return (
    <label className={styles.field}>
      {label}
      <select value={value} onChange={({ target }) => onChoose(target.value as Value)}>
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
