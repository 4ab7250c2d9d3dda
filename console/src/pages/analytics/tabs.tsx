import { Link } from '@tanstack/react-router'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './tabs.module.css'
import { useLooked } from './use-looked.ts'

/** The pages about analytics. The range goes along from one to the other. */
export function Tabs() {
  const { projectId } = useProject()
  const { search } = useLooked()
  const { range, from, to } = search
  const kept = { ...(range ? { range } : {}), ...(from && to ? { from, to } : {}) } as never
  const look = { params: { projectId }, search: kept, className: styles.tab! }
  return (
    <nav className={styles.tabs} aria-label={words.analytics.views}>
      <Link to="/$projectId/analytics" activeOptions={{ exact: true, includeSearch: false }} {...look}>
        {words.analytics.overview}
      </Link>
      <Link to="/$projectId/analytics/funnels" activeOptions={{ includeSearch: false }} {...look}>
        {words.analytics.funnels}
      </Link>
    </nav>
  )
}
