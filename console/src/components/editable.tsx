import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isPressed } from '../shortcuts/shortcuts.ts'
import styles from './editable.module.css'

interface EditableProps {
  label: string
  value: string
  onSave: (value: string) => void
  placeholder?: string
  maxLength?: number
  /** The title of a page, text of any length, or a line of it. */
  kind?: 'title' | 'text' | 'line'
  /** Something has to be in it. */
  isRequired?: boolean
  /** What is wrong with a value that cannot be kept: it stays to be mended, and Esc takes it back. */
  check?: (value: string) => string | undefined
  /** New: what is in it is to be typed over. */
  isNew?: boolean | undefined
}

/** Text that is changed where it stands. Enter keeps the change, as leaving it does; Esc takes it back. */
export function Editable({
  label,
  value,
  onSave,
  placeholder,
  maxLength,
  kind = 'text',
  isRequired,
  check,
  isNew,
}: EditableProps) {
  const [draft, setDraft] = useState(value)
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
  const isReverted = useRef(false)
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    setDraft(value)
    setProblem(undefined)
  }, [value])
  useEffect(() => {
    if (isNew) input.current?.select()
  }, [isNew])

  const next = (kind === 'text' ? draft : draft.replace(/\s+/g, ' ')).trim()
  const isSame = next === value || (isRequired && !next)

  function isWrong(): boolean {
    const wrong = isSame ? undefined : check?.(next)
    setProblem(wrong)
    return wrong !== undefined
  }

  function commit() {
    if (isReverted.current || isSame) {
      setDraft(value)
      setProblem(undefined)
    } else if (!isWrong()) onSave(next)
    isReverted.current = false
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (isPressed(event, 'revertText')) isReverted.current = true
    // A longer text may have lines of its own.
    else if (
      !isPressed(event, 'keepText') ||
      event.nativeEvent.isComposing ||
      (kind === 'text' && event.shiftKey)
    )
      return
    event.preventDefault()
    if (isReverted.current || !isWrong()) event.currentTarget.blur()
  }

  return (
    <>
      <textarea
        ref={input}
        rows={1}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem && problemId}
        className={[styles.editable, styles[kind]].join(' ')}
        value={draft}
        placeholder={placeholder}
        maxLength={maxLength}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={press}
      />
      {problem && (
        <p id={problemId} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
