import { CopyButton } from '../../components/copy-button.tsx'
import { words } from '../../words.ts'
import styles from './feed-page.module.css'
import { FeedPreview } from './feed-preview.tsx'
import type { Feed, PostStatus } from './queries.ts'

const text = words.feeds

/** How a feed looks on a phone, and the addresses by which other sites and apps show it. */
export function FeedShare({ feed, status }: { feed: Feed; status: PostStatus }) {
  const title = status === 'draft' ? text.previewDrafts : text.preview
  return (
    <section className={styles.share} aria-label={title}>
      <h2>{title}</h2>
      <FeedPreview feedId={feed.id} status={status} />
      {feed.visibility === 'public' ? (
        <dl className={styles.addresses}>
          {addressesOf(feed.id).map(([name, address]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{address}</code>
                <CopyButton text={address} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={styles.soft}>{text.previewPrivate}</p>
      )}
    </section>
  )
}

function addressesOf(feedId: string) {
  const { origin } = location
  return [
    [
      text.embed,
      `<iframe src="${origin}/embed/${feedId}" width="360" height="640" allow="autoplay; fullscreen"></iframe>`,
    ],
    [text.rss, `${origin}/feeds/${feedId}/rss`],
    [text.podcast, `${origin}/feeds/${feedId}/podcast`],
  ] as const
}
