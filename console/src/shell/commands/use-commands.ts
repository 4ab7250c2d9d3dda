import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { IconName } from '../../components/icons.tsx'
import { pageCommands } from '../../page-commands.ts'
import { SECTIONS, type SectionId } from '../../pages/settings/sections.ts'
import { projectsQuery } from '../../session/queries.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { useSignOut } from '../../session/use-sign-out.ts'
import { SHORTCUTS, shortcutOf } from '../../shortcuts/shortcuts.ts'
import { chooseTheme, type Theme } from '../../theme.ts'
import { pickFiles } from '../../uploads/pick-files.ts'
import { uploadFiles } from '../../uploads/upload-manager.ts'
import { words } from '../../words.ts'
import { pagesFor } from '../pages.ts'
import type { Opened } from './commands.tsx'
import type { Item } from './recent.ts'

const text = words.commands

export type GroupId = keyof typeof text.groups

export interface Command {
  id: string
  group: GroupId
  title: string
  icon: IconName
  /** What else it may be looked for by. */
  also?: string
  /** What it opens, where it is not always there. */
  item?: Item
  /** The keys that do the same. */
  keys?: string
  run: () => void
}

const THEMES: Theme[] = ['system', 'light', 'dark']

/** Everything that the palette always has: what whoever is signed in may not do is not among it. */
export function useCommands(onOpen: (opened: Opened | undefined) => void): Command[] {
  const { projectId } = useProject()
  const may = usePermission()
  const navigate = useNavigate()
  const leave = useSignOut()
  const { data: projects } = useSuspenseQuery(projectsQuery())
  // The page stands still while the palette is above it.
  const [ofPage] = useState(() => pageCommands().map((one): Command => ({ ...one, group: 'page' })))

  const pages = pagesFor(may).map(
    ({ id, shortcut }): Command => ({
      id,
      group: 'pages',
      title: words.nav[id],
      icon: id,
      keys: shortcutOf(shortcut).keys[0]!,
      run: () => void navigate({ to: `/$projectId/${id}`, params: { projectId } }),
    }),
  )
  const sections = SECTIONS.filter(({ permission }) => !permission || may(permission)).map(
    ({ id }): Command => ({
      id: `settings/${id}`,
      group: 'settings',
      title: words.settings.sections[id],
      also: words.nav.settings,
      icon: id === 'keys' ? 'key' : id === 'account' || id === 'members' ? 'user' : 'settings',
      run: () =>
        void navigate({
          to: '/$projectId/settings/$section',
          params: { projectId, section: id },
          search: {},
        }),
    }),
  )
  const more: Command[] = [
    {
      id: 'components',
      group: 'more',
      title: text.components,
      also: text.also.components,
      icon: 'library',
      run: () => void navigate({ to: '/$projectId/components', params: { projectId } }),
    },
    {
      id: 'api',
      group: 'more',
      title: text.api,
      also: text.also.api,
      icon: 'external',
      run: () => void open('/docs', '_blank', 'noreferrer'),
    },
  ]
  if (may('analytics:read'))
    more.unshift({
      id: 'funnels',
      group: 'pages',
      title: text.funnels,
      icon: 'analytics',
      run: () => void navigate({ to: '/$projectId/analytics/funnels', params: { projectId } }),
    })

  const dialog = (id: 'createFeed' | 'createKey' | 'createProject' | 'invite', permission: string) =>
    may(permission)
      ? [action(id, id === 'createKey' ? 'key' : id === 'invite' ? 'user' : 'plus', () => onOpen(id))]
      : []
  const inSettings = (id: ActionId, section: SectionId, search: Record<string, string>) =>
    action(id, section === 'account' ? 'user' : 'plus', () => {
      void navigate({ to: '/$projectId/settings/$section', params: { projectId, section }, search })
    })
  const mayOpenMedia = may('videos:read') && may('images:read')
  const actions: Command[] = [
    ...(may('videos:write') || may('images:write')
      ? [action('upload', 'upload', () => pickFiles((files) => uploadFiles(projectId, files)))]
      : []),
    ...dialog('createFeed', 'feeds:write'),
    ...dialog('createKey', 'keys:write'),
    ...dialog('invite', 'members:write'),
    ...dialog('createProject', 'projects:write'),
    ...(may('policies:write') ? [inSettings('createPolicy', 'policies', { policy: 'new' })] : []),
    ...(may('projects:write') ? [inSettings('createWebhook', 'webhooks', { ask: 'new' })] : []),
    ...(may('projects:write') && mayOpenMedia
      ? [inSettings('createSigningKey', 'signing-keys', { ask: 'new' })]
      : []),
    inSettings('changePassword', 'account', { ask: 'password' }),
    inSettings('leaveEverywhere', 'account', { ask: 'everywhere' }),
    ...THEMES.map(
      (theme): Command => ({
        id: `theme/${theme}`,
        group: 'actions',
        title: text.theme(words.nav.themes[theme]),
        also: text.also.theme,
        icon: 'settings',
        run: () => chooseTheme(theme),
      }),
    ),
    { ...action('help', 'more', () => onOpen('help')), keys: SHORTCUTS.help.keys[0] },
    action('signOut', 'back', leave),
  ]
  const others = projects
    .filter(({ id }) => id !== projectId)
    .map(
      ({ id, name }): Command => ({
        id,
        group: 'projects',
        title: name,
        icon: 'start',
        run: () => void navigate({ to: '/$projectId', params: { projectId: id } }),
      }),
    )
  return [...ofPage, ...pages, ...actions, ...sections, ...more, ...others]
}

type ActionId = Exclude<Extract<keyof typeof text.also, keyof typeof text>, 'theme'>

const action = (id: ActionId, icon: IconName, run: () => void): Command => ({
  id,
  group: 'actions',
  title: text[id],
  also: text.also[id],
  icon,
  run,
})
