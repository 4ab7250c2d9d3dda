import type { ReactNode } from 'react'
import { usePageCommands } from '../page-commands.ts'
import { dayOf, periodOf, type Range, type RangeName } from '../range.ts'
import { useAddress } from '../use-address.ts'
import { words } from '../words.ts'
import inline from './inline-field.module.css'
import styles from './range-bar.module.css'

const text = words.ranges

interface RangeBarProps {
  range: Range
  /** Those that are offered. */
  ranges: readonly RangeName[]
  /** More to choose beside it. */
  children?: ReactNode
}

/** The time that numbers are about, which is in the address. */
export function RangeBar({ range: chosen, ranges, children }: RangeBarProps) {
  const { change } = useAddress()
  const choose = (range: RangeName) => {
    if (range !== 'custom') return change({ range, from: undefined, to: undefined })
    // Days to begin with: those that are looked at, or some that can be changed where that is all time.
    const { start, end } = periodOf(chosen.range === 'all' ? { ...chosen, range: '90d' } : chosen)
    change({ range, from: dayOf(start), to: dayOf(end) })
  }
  usePageCommands(
    ranges.map((range) => ({
      id: `range/${range}`,
      title: words.commands.ofPage.range(text.names[range]),
      also: words.commands.also.range,
      icon: 'analytics',
      run: () => choose(range),
    })),
  )
  return (
    <div className={styles.bar}>
      <fieldset className={styles.ranges}>
        <legend className="visually-hidden">{text.range}</legend>
        {ranges.map((range) => (
          <label key={range} className={styles.range}>
            <input
              type="radio"
              name="range"
              className="visually-hidden"
              checked={chosen.range === range}
              onChange={() => choose(range)}
            />
            <span>{text.names[range]}</span>
          </label>
        ))}
      </fieldset>
      {chosen.range === 'custom' && (
        <>
          <Day label={text.from} value={chosen.from} onDay={(from) => change({ from })} />
          <Day label={text.to} value={chosen.to} onDay={(to) => change({ to })} />
        </>
      )}
      {children}
    </div>
  )
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label className={`${inline.field} ${styles.day}`}>
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
