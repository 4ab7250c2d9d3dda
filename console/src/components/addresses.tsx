import styles from './addresses.module.css'
import { CopyButton } from './copy-button.tsx'

interface Address {
  name: string
  text: string
}

/** Texts to copy, each on a line: addresses, code for a page, a command. */
export function Addresses({ addresses }: { addresses: Address[] }) {
  return (
    <ul className={styles.addresses}>
      {addresses.map(({ name, text }) => (
        <li key={name}>
          <span className={styles.name}>{name}</span>
          <code title={text} data-address={/^https?:/.test(text) || undefined}>
            <bdi>{text}</bdi>
          </code>
          <CopyButton text={text} />
        </li>
      ))}
    </ul>
  )
}
