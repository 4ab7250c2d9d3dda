import { Dialog } from '../../components/dialog.tsx'
import { Keys } from '../../shortcuts/keys.tsx'
import { PLACES, SHORTCUTS, type ShortcutId, shortcutOf } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import styles from './help.module.css'

const text = words.shortcuts
const IDS = Object.keys(SHORTCUTS) as ShortcutId[]

/** Every shortcut, by the page that it is for. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.title} isOpen isWide isRead onClose={onClose}>
      <div className={styles.places}>
        {PLACES.map((place) => (
          <section key={place} aria-label={text.places[place]}>
            <h3>{text.places[place]}</h3>
            <dl>
              {IDS.filter((id) => shortcutOf(id).place === place).map((id) => (
                <div key={id} className={styles.shortcut}>
                  <dt>{text.does[id]}</dt>
                  <dd>
                    {shortcutOf(id).keys.map((keys, i) => (
                      <span key={keys}>
                        {i > 0 && ` ${text.or} `}
                        <Keys keys={keys} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
