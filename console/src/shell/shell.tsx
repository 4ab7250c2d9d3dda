import { Link, Outlet } from '@tanstack/react-router'
import { Icon, type IconName } from '../components/icons.tsx'
import { NotFound } from '../components/not-found.tsx'
import { useProject } from '../session/use-project.ts'
import { Uploads } from '../uploads/uploads.tsx'
import { words } from '../words.ts'
import { AccountMenu } from './account-menu.tsx'
import { ProjectMenu } from './project-menu.tsx'
import styles from './shell.module.css'

const PAGES = ['library', 'feeds', 'analytics', 'settings'] as const satisfies IconName[]

/** What is around every page of a project. */
export function Shell() {
  const { projectId, project } = useProject()
  if (!project) return <NotFound />
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {words.nav.skip}
      </a>
      <aside className={styles.side}>
        <ProjectMenu />
        <nav className={styles.nav} aria-label={words.nav.main}>
          {PAGES.map((name) => (
            <Link
              key={name}
              to={`/$projectId/${name}`}
              params={{ projectId }}
              className={styles.link!}
              activeOptions={{ includeSearch: false }}
            >
              <Icon name={name} />
              <span>{words.nav[name]}</span>
            </Link>
          ))}
        </nav>
        <AccountMenu />
      </aside>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
      <Uploads />
    </div>
  )
}
