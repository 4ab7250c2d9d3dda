import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Icon } from '../../components/icons.tsx'
import { words } from '../../words.ts'
import styles from './library-page.module.css'

/** A library without anything in it: where to drop files, and how a terminal does it. */
export function EmptyLibrary({ onChoose }: { onChoose: (() => void) | undefined }) {
  const lines = curlLines(location.origin)
  return (
    <div className={styles.empty}>
      {onChoose && (
        <div className={styles.zone}>
          <Icon name="upload" size={40} />
          <h2>{words.library.empty}</h2>
          <p>{words.library.emptyText}</p>
          <Button kind="primary" onClick={onChoose}>
            {words.library.choose}
          </Button>
        </div>
      )}
      <section className={styles.curl} aria-label={words.library.byCurl}>
        <header>
          <h2>{words.library.byCurl}</h2>
          <CopyButton text={lines} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keys. */}
        <pre tabIndex={0}>
          <code>{lines}</code>
        </pre>
      </section>
    </div>
  )
}

const { comments } = words.start

function curlLines(origin: string): string {
  return `# 1. ${comments.ask}
curl -X POST ${origin}/videos/upload/init \\
  -H "X-API-Key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"file_name": "holiday.mp4"}'

# 2. ${comments.send}
curl -T holiday.mp4 "<video_presigned_url>"

# 3. ${comments.make}
curl -X POST ${origin}/videos/upload/complete \\
  -H "X-API-Key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"video_id": "<video_id>"}'`
}
