import { Link, Navigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { Empty } from '../../components/empty.tsx'
import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { words } from '../../words.ts'
import { SECTIONS } from './sections.ts'
import styles from './settings.module.css'
import { useOrganization } from './use-organization.ts'

/** Everything about the organization and one's own account, section by section, as far as one may see it. */
export function SettingsPage() {
  const { projectId, may } = useOrganization()
  const { section } = useParams({ strict: false })
  const sections = SECTIONS.filter(({ permission }) => !permission || may(permission))
  const shown = sections.find(({ id }) => id === section)
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen they are a row that scrolls.
  useEffect(() => {
    nav.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [section])
  if (!section)
    return (
      <Navigate to="/$projectId/settings/$section" params={{ projectId, section: sections[0]!.id }} replace />
    )
  return (
    <Page title={words.nav.settings}>
      <div className={styles.layout}>
        <nav ref={nav} className={styles.nav} aria-label={words.nav.settings}>
          {sections.map(({ id }) => (
            <Link
              key={id}
              to="/$projectId/settings/$section"
              params={{ projectId, section: id }}
              activeOptions={{ includeSearch: false }}
              className={styles.link!}
            >
              {words.settings.sections[id]}
            </Link>
          ))}
        </nav>
        <div className={styles.content}>
          {shown ? (
            <Suspense key={shown.id} fallback={<Skeleton height={240} />}>
              <shown.component />
            </Suspense>
          ) : (
            <Empty title={words.common.notFound}>
              <p>{words.settings.notYours}</p>
            </Empty>
          )}
        </div>
      </div>
    </Page>
  )
}
