import { words } from '../../words.ts'
import styles from './components-page.module.css'

const text = words.gallery

/** Grounds with the colours that are written on them. */
const COLOURS = [
  'ground',
  'sunken',
  'raised',
  'hover',
  'line',
  'line-strong',
  'text',
  'text-soft',
  'accent',
  'accent-soft',
  'on-accent',
  'warning',
  'warning-soft',
  'danger',
  'danger-soft',
  'good',
  'scrim',
]
const SIZES = ['xs', 's', 'm', 'l', 'xl', 'xxl']
const SPACES = [1, 2, 3, 4, 6, 8, 12]

/** Colours, sizes of text and distances, as styles/tokens.css has them. */
export function Tokens() {
  return (
    <>
      <section className={styles.specimen} aria-label={text.colours}>
        <h2>{text.colours}</h2>
        <ul className={styles.colours}>
          {COLOURS.map((name) => (
            <li key={name}>
              <span className={styles.swatch} style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.specimen} aria-label={text.type}>
        <h2>{text.type}</h2>
        <ul className={styles.sizes}>
          {SIZES.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <span style={{ fontSize: `var(--text-${name})` }}>{text.sample}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.specimen} aria-label={text.spacing}>
        <h2>{text.spacing}</h2>
        <ul className={styles.sizes}>
          {SPACES.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <span className={styles.space} style={{ width: `var(--space-${name})` }} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
