import { usePageCommands } from '../page-commands.ts'
import { words } from '../words.ts'
import styles from './addresses.module.css'
import { CopyButton, copyText } from './copy-button.tsx'
import { useNotify } from './toasts.tsx'

interface Address {
  name: string
  text: string
}

/** Texts to copy, each on a line: addresses, code for a page, a command. */
export function Addresses({ addresses }: { addresses: Address[] }) {
  const notify = useNotify()
  usePageCommands(
    addresses.map(({ name, text }) => ({
      id: `copy/${name}`,
      title: words.commands.ofPage.copy(name),
      icon: 'copy',
      run: () => void copyText(text).then(() => notify.done(words.common.copied)),
    })),
  )
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
