import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { words } from '../../words.ts'
import styles from './key-line.module.css'
import { PLACEHOLDERS } from './snippets.ts'
import type { KeyKind, useKeys } from './use-keys.ts'

const text = words.start.key

/** Where the key of the code comes from. */
export function KeyLine({ kind, keys }: { kind: KeyKind; keys: ReturnType<typeof useKeys> }) {
  if (keys.made[kind])
    return (
      <p className={styles.line} role="status">
        <Icon name="check" />
        <span>{text.filled}</span>
      </p>
    )
  return (
    <p className={styles.line}>
      <span>
        {text.needs[kind]} {!keys.canMake(kind) && `${text.missing(PLACEHOLDERS[kind])} ${text.ask}`}
      </span>
      {keys.canMake(kind) && (
        <Button kind="primary" icon="key" isBusy={keys.making === kind} onClick={() => keys.make(kind)}>
          {text.make}
        </Button>
      )}
    </p>
  )
}
