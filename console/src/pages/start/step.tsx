import { type ReactNode, useId } from 'react'
import { Icon } from '../../components/icons.tsx'
import { Problem } from '../../components/problem.tsx'
import { words } from '../../words.ts'
import type { StepId } from './progress.ts'
import styles from './step.module.css'
import type { StepState } from './use-progress.ts'

const text = words.start

interface StepProps {
  id: StepId
  number: number
  state: StepState
  /** What has come of it. */
  result?: ReactNode
  /** Why it could not be found out. */
  error?: unknown
  /** What went wrong with it, for as long as it is waited for. */
  failure?: ReactNode
  children: ReactNode
}

/** One step: what to do, how to do it, and whether it has happened. */
export function Step({ id, number, state, result, error, failure, children }: StepProps) {
  const headingId = useId()
  const { title, text: about, waiting } = text.steps[id]
  return (
    <li className={styles.step} data-state={state} aria-labelledby={headingId}>
      <span className={styles.mark} aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : number}
      </span>
      <div className={styles.content}>
        <header className={styles.header}>
          <h2 id={headingId}>{title}</h2>
          <p>{about}</p>
        </header>
        {children}
        <p className={styles.state} role="status">
          {state === 'waiting' && !failure && (
            <>
              <span className={styles.dot} /> {waiting}
            </>
          )}
          {state === 'done' && (
            <>
              <span className={styles.done}>{text.done}</span> {result}
            </>
          )}
          {state === 'unseen' && text.unseen}
          {state === 'failed' && text.notKnown}
        </p>
        {state === 'failed' && <Problem error={error} />}
        {state === 'waiting' && failure}
      </div>
    </li>
  )
}
