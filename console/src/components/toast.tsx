import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { isStatus, messageOf } from '../api.ts'
import { words } from '../words.ts'
import { Button, IconButton } from './button.tsx'
import { RequestId } from './request-id.tsx'
import styles from './toasts.module.css'

const SHOWN_MS = 6000
/** Whoever looks away from a note may look back. */
const LEAST_MS = 2000

export interface Note {
  id: number
  title: string
  /** Undefined where nothing failed. */
  failure?: { error: unknown; retry?: (() => void) | undefined }
  undo?: (() => void) | undefined
  /** It is told to somebody who may have been away. */
  isKept?: boolean
}

/** Until somebody has read it. */
export const isStaying = ({ failure, isKept }: Note): boolean => failure !== undefined || isKept === true

/** One note. It goes by itself, but not while somebody points at it or has the focus in it, nor where something failed. */
export function Toast({ note, onClose }: { note: Note; onClose: () => void }) {
  const { title, failure, undo } = note
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const left = useRef(SHOWN_MS)
  const close = useRef(onClose)
  close.current = onClose
  const isHeld = isStaying(note) || isPointedAt || isFocused
  useEffect(() => {
    if (isHeld) return
    const began = performance.now()
    const timer = setTimeout(() => close.current(), left.current)
    return () => {
      clearTimeout(timer)
      left.current = Math.max(LEAST_MS, left.current - (performance.now() - began))
    }
  }, [isHeld])

  const after = (work: () => void) => () => {
    work()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done by it; it only stays.
    <div
      className={styles.toast}
      data-kind={failure ? 'failed' : undefined}
      role={failure ? 'alert' : undefined}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget as Node | null))
      }
    >
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {failure && (
          <>
            <p className={styles.description}>
              {isStatus(failure.error, 0) ? words.common.unreachable : messageOf(failure.error)}
            </p>
            <RequestId error={failure.error} />
          </>
        )}
      </div>
      {failure?.retry && <Button onClick={after(failure.retry)}>{words.common.retry}</Button>}
      {undo && (
        <Button aria-keyshortcuts="Control+Z Meta+Z" onClick={after(undo)}>
          {words.common.undo}
        </Button>
      )}
      <IconButton label={words.common.dismiss} icon="close" onClick={onClose} />
    </div>
  )
}
