import type { ReactNode } from 'react'
import { words } from '../../words.ts'
import { dayOf, periodOf, RANGES } from './range.ts'
import styles from './range-bar.module.css'
import { useLooked } from './use-looked.ts'

const text = words.analytics

/** The range that everything on the page is about. */
export function RangeBar({ children }: { children?: ReactNode }) {
  const { looked, change } = useLooked()
  const { start, end } = periodOf(looked)
  const choose = (range: (typeof RANGES)[number]) =>
    change(
      range === 'custom'
        ? { range, from: dayOf(start), to: dayOf(end) }
        : { range, from: undefined, to: undefined },
    )
  return (
    <div className={styles.bar}>
      <fieldset className={styles.ranges}>
        <legend className="visually-hidden">{text.range}</legend>
        {RANGES.map((range) => (
          <label key={range} className={styles.range}>
            <input
              type="radio"
              name="range"
              className="visually-hidden"
              checked={looked.range === range}
              onChange={() => choose(range)}
            />
            <span>{text.ranges[range]}</span>
          </label>
        ))}
      </fieldset>
      {looked.range === 'custom' && (
        <>
          <Day label={text.from} value={looked.from} onDay={(from) => change({ from })} />
          <Day label={text.to} value={looked.to} onDay={(to) => change({ to })} />
        </>
      )}
      {children}
    </div>
  )
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label className={styles.day}>
      {label}
      <input
        type="date"
        title={text.utc}
        value={value}
        max={dayOf(new Date().toISOString())}
        onChange={({ target }) => target.value && onDay(target.value)}
      />
    </label>
  )
}
