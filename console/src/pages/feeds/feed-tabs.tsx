import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useRef } from 'react'
import { formatNumber } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import styles from './feed-page.module.css'
import { type PostStatus, postsQuery } from './queries.ts'

const text = words.feeds
const TABS: PostStatus[] = ['published', 'draft']

export const PANEL = 'posts-of-feed'

/** What readers see, and what only the team does, with how many there are of each. */
export function FeedTabs({ feedId, status }: { feedId: string; status: PostStatus }) {
  const { projectId } = useProject()
  const navigate = useNavigate()
  const element = useRef<HTMLDivElement>(null)
  const published = useInfiniteQuery(postsQuery(projectId, feedId, 'published'))
  const drafts = useInfiniteQuery(postsQuery(projectId, feedId, 'draft'))
  const totals = { published: totalOf(published.data), draft: totalOf(drafts.data) }

  const go = (to: PostStatus) =>
    navigate({ to: '.', search: to === 'draft' ? { tab: to } : {}, replace: true } as never)

  function onKeyDown(event: KeyboardEvent): void {
    if (!isPressed(event, 'feedTabs')) return
    const to = TABS.find((one) => one !== status)!
    void go(to)
    element.current?.querySelector<HTMLElement>(`[data-tab="${to}"]`)?.focus()
    event.preventDefault()
  }

  return (
    <div ref={element} className={styles.tabs} role="tablist" aria-label={text.postsOf}>
      {TABS.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-tab={one}
          aria-selected={one === status}
          aria-controls={PANEL}
          tabIndex={one === status ? 0 : -1}
          onClick={() => void go(one)}
          onKeyDown={onKeyDown}
        >
          {text.tabs[one]}
          <small>{totals[one] !== undefined && formatNumber(totals[one])}</small>
        </button>
      ))}
    </div>
  )
}

const totalOf = (data: { pages: { pagination: { total: number } }[] } | undefined) =>
  data?.pages[0]?.pagination.total
