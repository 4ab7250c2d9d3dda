import { memo, useState } from 'react'
import { isStatus, messageOf } from '../api.ts'
import { IconButton } from '../components/button.tsx'
import { Icon, type IconName } from '../components/icons.tsx'
import { RequestId } from '../components/request-id.tsx'
import { formatBytes, formatShare } from '../format.ts'
import { formatDuration } from '../timecode.ts'
import { words } from '../words.ts'
import { removeFinishedUploads, removeUpload, retryUpload } from './upload-manager.ts'
import { isUnderWay, type UploadEntry, useUploads } from './upload-store.ts'
import styles from './upload-tray.module.css'

/** What is being uploaded, on whatever page one is. */
export function UploadTray() {
  const entries = useUploads()
  const [isFolded, setFolded] = useState(false)
  if (entries.length === 0) return null
  const isBusy = entries.some(isUnderWay)
  return (
    <section className={styles.tray} aria-label={words.uploads.title}>
      <header className={styles.header}>
        <h2>
          <span role="status">{summaryOf(entries)}</span>
        </h2>
        <IconButton
          icon="chevron"
          className={isFolded ? styles.folded! : ''}
          label={isFolded ? words.uploads.unfold : words.uploads.fold}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        />
        {!isBusy && <IconButton icon="close" label={words.uploads.clear} onClick={removeFinishedUploads} />}
      </header>
      {isBusy && <Bar share={shareOf(entries)} label={words.uploads.title} />}
      {!isFolded && (
        <ul className={styles.list}>
          {failedFirst(entries).map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  )
}

const SIGNS: Partial<Record<UploadEntry['state'], IconName>> = {
  done: 'check',
  failed: 'warning',
  away: 'retry',
}

const Entry = memo(({ entry }: { entry: UploadEntry }) => {
  const { id, name, state } = entry
  return (
    <li className={styles.entry} data-state={state}>
      <span className={styles.sign}>
        <Icon name={SIGNS[state] ?? 'upload'} />
      </span>
      <div className={styles.text}>
        <p className={styles.name} title={name}>
          {name}
        </p>
        <p className={styles.detail}>{detailOf(entry)}</p>
        {state === 'failed' && <RequestId error={entry.error} />}
        {isUnderWay(entry) && <Bar share={shareOf([entry])} label={name} />}
      </div>
      {state === 'failed' && (
        <IconButton icon="retry" label={words.uploads.retry(name)} onClick={() => retryUpload(id)} />
      )}
      <IconButton
        icon="close"
        label={isUnderWay(entry) ? words.uploads.cancel(name) : words.uploads.dismiss(name)}
        onClick={() => removeUpload(id)}
      />
    </li>
  )
})

function Bar({ share, label }: { share: number; label: string }) {
  return (
    <span
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.floor(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ transform: `scaleX(${share})` }} />
    </span>
  )
}

/** What needs somebody is not to be looked for. */
function failedFirst(entries: readonly UploadEntry[]): UploadEntry[] {
  const isFailed = ({ state }: UploadEntry) => state === 'failed'
  return [...entries.filter(isFailed), ...entries.filter((entry) => !isFailed(entry))]
}

/** Of all bytes; what has failed is not waited for. */
function shareOf(entries: readonly UploadEntry[]): number {
  const counted = entries.filter(({ state }) => state !== 'failed')
  const total = counted.reduce((sum, { size }) => sum + size, 0)
  const sent = counted.reduce(
    (sum, one) => sum + (one.state === 'done' ? one.size : (one.progress?.sent ?? 0)),
    0,
  )
  return total > 0 ? Math.min(1, sent / total) : 0
}

function summaryOf(entries: readonly UploadEntry[]): string {
  const done = entries.filter(({ state }) => state === 'done').length
  const failed = entries.filter(({ state }) => state === 'failed').length
  const summary = entries.some(isUnderWay)
    ? words.uploads.underWay(done, entries.length)
    : words.uploads.finished(done)
  const isAway = entries.some(({ state }) => state === 'away')
  return [summary, failed > 0 && words.uploads.failed(failed), isAway && words.uploads.away]
    .filter(Boolean)
    .join(', ')
}

function detailOf({ state, size, progress, error }: UploadEntry): string {
  if (state === 'failed' || state === 'away') {
    const reason = isStatus(error, 0) ? words.common.unreachable : messageOf(error)
    return state === 'away' ? words.uploads.again(reason) : reason
  }
  if (state === 'waiting') return words.uploads.waiting
  if (state === 'checking') return words.uploads.checking
  if (state === 'done' || !progress) return formatBytes(size)
  const { sent, speed, secondsLeft } = progress
  return [
    `${formatShare(Math.floor((sent / Math.max(1, size)) * 100) / 100)} ${words.uploads.of} ${formatBytes(size)}`,
    speed > 0 && words.uploads.speed(formatBytes(speed)),
    secondsLeft !== undefined && words.uploads.left(formatDuration(Math.ceil(secondsLeft))),
  ]
    .filter(Boolean)
    .join(' · ')
}
