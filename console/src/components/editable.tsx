import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
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
  isNew,
}: EditableProps) {
  const [draft, setDraft] = useState(value)
  const isReverted = useRef(false)
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => setDraft(value), [value])
  useEffect(() => {
    if (isNew) input.current?.select()
  }, [isNew])

  function commit() {
    const next = (kind === 'text' ? draft : draft.replace(/\s+/g, ' ')).trim()
    if (isReverted.current || next === value || (isRequired && !next)) setDraft(value)
    else onSave(next)
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
    event.currentTarget.blur()
  }

  return (
    <textarea
      ref={input}
      rows={1}
      aria-label={label}
      className={[styles.editable, styles[kind]].join(' ')}
      value={draft}
      placeholder={placeholder}
      maxLength={maxLength}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={press}
    />
  )
}
