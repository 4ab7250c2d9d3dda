import { Meter as Base } from '@base-ui/react/meter'
import styles from './meter.module.css'

interface MeterProps {
  label: string
  value: number
  limit: number
  /** How full it is, in words. */
  text: string
}

/** From here on it is worth a look. */
const NEARLY = 0.8

/** How much of something is used. */
export function Meter({ label, value, limit, text }: MeterProps) {
  const part = limit > 0 ? Math.min(value / limit, 1) : 0
  return (
    <Base.Root
      // Not as small as it may be: a number with an exponent is none to what reads the page aloud.
      value={Math.round(part * 1000) / 10}
      max={100}
      aria-label={label}
      getAriaValueText={() => text}
      title={text}
      className={styles.meter!}
    >
      <Base.Track className={styles.track!}>
        <Base.Indicator
          className={styles.filled!}
          data-level={part >= 1 ? 'full' : part >= NEARLY ? 'nearly' : undefined}
        />
      </Base.Track>
    </Base.Root>
  )
}
