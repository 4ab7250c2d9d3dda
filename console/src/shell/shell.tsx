import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { Icon } from '../components/icons.tsx'
import { NotFound } from '../components/not-found.tsx'
import { ProjectContext, usePermission, useProject, useProjectOfAddress } from '../session/use-project.ts'
import { Keys } from '../shortcuts/keys.tsx'
import { SHORTCUTS, type ShortcutId } from '../shortcuts/shortcuts.ts'
import { useShortcuts } from '../shortcuts/use-shortcuts.ts'
import { UnderWay } from '../under-way.tsx'
import { DropZone } from '../uploads/drop-zone.tsx'
import { Uploads } from '../uploads/uploads.tsx'
import { words } from '../words.ts'
import { AccountMenu } from './account-menu.tsx'
import type { Opened } from './commands/commands.tsx'
import { pagesFor } from './pages.ts'
import { ProjectMenu } from './project-menu.tsx'
import styles from './shell.module.css'
import { TypedEarly } from './typed-early.tsx'

const load = () => import('./commands/commands.tsx')
const Commands = lazy(() => load().then(({ Commands }) => ({ default: Commands })))

/** What is around every page of a project. */
export function Shell() {
  const current = useProjectOfAddress()
  if (current.project)
    return (
      <ProjectContext value={current}>
        <ShellOfProject />
      </ProjectContext>
    )
  return (
    <main>
      <NotFound />
    </main>
  )
}

function ShellOfProject() {
  const { projectId } = useProject()
  const navigate = useNavigate()
  const pages = pagesFor(usePermission())
  // A video or an image is a page below the library, whatever its address is.
  const isMedia = useLocation({ select: ({ pathname }) => /\/(videos|images)\//.test(pathname) })
  const [opened, setOpened] = useState<Opened>()
  const typedEarly = useRef('')
  const ways = pages.map(({ id, shortcut }): [ShortcutId, () => void] => [
    shortcut,
    () => void navigate({ to: `/$projectId/${id}`, params: { projectId } }),
  ])
  useShortcuts({
    ...Object.fromEntries(ways),
    palette: () => setOpened('palette'),
    help: () => setOpened('help'),
    // A page that has a search of its own is searched by it, all others by what searches everything.
    search: () => {
      const own = document.querySelector<HTMLInputElement>('#content input[type=search]')
      if (own) own.focus()
      else setOpened('palette')
    },
  })
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {words.nav.skip}
      </a>
      <aside className={styles.side}>
        <ProjectMenu />
        <button
          type="button"
          className={styles.search}
          title={words.commands.title}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K /"
          onPointerEnter={load}
          onFocus={load}
          onClick={() => setOpened('palette')}
        >
          <Icon name="search" />
          <span>{words.commands.open}</span>
          <Keys keys={SHORTCUTS.palette.keys[0]} />
        </button>
        <nav className={styles.nav} aria-label={words.nav.main}>
          {pages.map(({ id }) => (
            <Link
              key={id}
              to={`/$projectId/${id}`}
              params={{ projectId }}
              className={styles.link!}
              activeOptions={{ includeSearch: false }}
              {...(isMedia && id === 'library' && { 'data-status': 'active', 'aria-current': true })}
            >
              <Icon name={id} />
              <span>{words.nav[id]}</span>
            </Link>
          ))}
        </nav>
        <AccountMenu />
      </aside>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
      <Uploads />
      <DropZone />
      {opened === 'palette' && <TypedEarly typed={typedEarly} />}
      {opened && (
        <Suspense fallback={<UnderWay />}>
          <Commands opened={opened} onOpen={setOpened} typedEarly={typedEarly} />
        </Suspense>
      )}
    </div>
  )
}
