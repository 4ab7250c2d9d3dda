import { Link } from '@tanstack/react-router'
import { CopyButton } from '../../components/copy-button.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './no-events.module.css'

const text = words.analytics.none

/** Two lines of script, and what happens once they are on a page. Keys are shown only when they are made. */
export function NoEvents() {
  const { projectId } = useProject()
  const script = `<script type="module">
  import { createTracker } from '${location.origin}/sdk/tracker.js'
  const tracker = createTracker({ url: '${location.origin}', key: 'mq_pk_…' })
  tracker.attach(document.querySelector('video'), { contentId: 'vid_…' })
</script>`
  return (
    <div className={styles.none}>
      <div className={styles.lead}>
        <h2>{text.title}</h2>
        <p>{text.text}</p>
      </div>
      <div className={styles.code}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys too. */}
        <pre tabIndex={0}>
          <code>{script}</code>
        </pre>
        <CopyButton text={script} label={words.common.copy} />
      </div>
      <p>
        {text.key}{' '}
        <Link to="/$projectId/settings/$section" params={{ projectId, section: 'keys' }}>
          {text.makeKey}
        </Link>
      </p>
      <div>
        <h3>{text.expect}</h3>
        <ul className={styles.expect}>
          {text.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      </div>
      <p className={styles.waiting} role="status">
        <span className={styles.dot} />
        {text.waiting}
      </p>
    </div>
  )
}
