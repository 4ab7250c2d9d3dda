import { useInfiniteQuery } from '@tanstack/react-query'
import { createElement, useEffect } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './feed-page.module.css'
import { type Feed, postsQuery } from './queries.ts'

const text = words.feeds
/** The service serves its own player; it is no part of the console's scripts. */
const SCRIPT = '/sdk/player/feed.js'

/** How everybody sees a public feed, and the addresses by which other sites and apps show it. */
export function FeedShare({ feed }: { feed: Feed }) {
  const isPublic = feed.visibility === 'public'
  const { projectId } = useProject()
  const { data } = useInfiniteQuery(postsQuery(projectId, feed.id, 'published'))
  // In another order it is shown from its beginning.
  const first = data?.pages[0]?.data.map(({ id }) => id).join()
  useEffect(() => {
    if (isPublic) void import(/* @vite-ignore */ SCRIPT)
  }, [isPublic])
  if (!isPublic)
    return (
      <section className={styles.share} aria-label={text.preview}>
        <h2>{text.preview}</h2>
        <p className={styles.soft}>{text.previewPrivate}</p>
      </section>
    )
  const { origin } = location
  const addresses = [
    [
      text.embed,
      `<iframe src="${origin}/embed/${feed.id}" width="360" height="640" allow="autoplay; fullscreen"></iframe>`,
    ],
    [text.rss, `${origin}/feeds/${feed.id}/rss`],
    [text.podcast, `${origin}/feeds/${feed.id}/podcast`],
  ] as const
  return (
    <section className={styles.share} aria-label={text.preview}>
      <h2>{text.preview}</h2>
      <div className={styles.phone}>
        {first && createElement('marquee-feed', { key: first, feed: feed.id, url: origin })}
      </div>
      <dl className={styles.addresses}>
        {addresses.map(([name, address]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{address}</code>
              <CopyButton text={address} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
