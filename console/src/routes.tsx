import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { queries } from './api.ts'
import { Failure } from './components/failure.tsx'
import { NotFound } from './components/not-found.tsx'
import { keepNote } from './kept-notes.ts'
import { projectsQuery, userQuery } from './session/queries.ts'
import { hasToken, onSession, renew, sessionEnd } from './session/session.ts'
import { landingOf } from './shell/landing.ts'
import { Shell } from './shell/shell.tsx'
import { words } from './words.ts'

/** Every address of the console. Pages are loaded when somebody is about to go there. */
const root = createRootRoute({
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: Failure,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' && /^\/[^/\\]/.test(search.next) ? { next: search.next } : {},
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: 'reset',
  component: lazyRouteComponent(() => import('./pages/reset/reset-page.tsx'), 'ResetPage'),
})

const accept = createRoute({
  getParentRoute: () => root,
  path: 'accept',
  component: lazyRouteComponent(() => import('./pages/accept/accept-page.tsx'), 'AcceptPage'),
})

/** Everything that needs somebody to be signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    if (!hasToken() && !(await renew())) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async () => {
    const projects = await queries.ensureQueryData(projectsQuery())
    const [first] = projects
    if (first) throw redirect({ to: '/$projectId', params: { projectId: first.id } })
  },
  component: lazyRouteComponent(() => import('./pages/no-project/no-project-page.tsx'), 'NoProjectPage'),
})

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '$projectId',
  loader: () => Promise.all([queries.ensureQueryData(userQuery()), queries.ensureQueryData(projectsQuery())]),
  component: Shell,
})

const page = <
  Path extends string,
  Module extends Record<string, unknown>,
  Name extends keyof Module & string,
>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => project,
    path,
    component: lazyRouteComponent(load as never, name as never),
    validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  })

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: async ({ params }) => {
    const page = await landingOf(params.projectId)
    throw redirect({ to: `/$projectId/${page}`, params, replace: true })
  },
})

const routeTree = root.addChildren([
  signIn,
  reset,
  accept,
  signedIn.addChildren([
    home,
    project.addChildren([
      projectHome,
      page('start', () => import('./pages/start/start-page.tsx'), 'StartPage'),
      page('components', () => import('./pages/components/components-page.tsx'), 'ComponentsPage'),
      page('library', () => import('./pages/library/library-page.tsx'), 'LibraryPage'),
      page('videos/$videoId', () => import('./pages/video/video-page.tsx'), 'VideoPage'),
      page('images/$imageId', () => import('./pages/image/image-page.tsx'), 'ImagePage'),
      page('feeds', () => import('./pages/feeds/feeds-page.tsx'), 'FeedsPage'),
      page('feeds/$feedId', () => import('./pages/feeds/feed-page.tsx'), 'FeedPage'),
      page('analytics', () => import('./pages/analytics/analytics-page.tsx'), 'AnalyticsPage'),
      page('analytics/funnels', () => import('./pages/analytics/funnels-page.tsx'), 'FunnelsPage'),
      page('settings', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
      page('settings/$section', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
    ]),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Failure,
  scrollRestoration: true,
})

// Signed out here or in another tab: what is shown is gone at once.
onSession(() => {
  if (hasToken()) return
  queries.clear()
  if (sessionEnd() !== 'replaced') return void router.invalidate()
  keepNote(words.signIn.replaced)
  // Once all have heard it: uploads that are under way would have the browser ask.
  queueMicrotask(() => location.replace('/console/'))
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
