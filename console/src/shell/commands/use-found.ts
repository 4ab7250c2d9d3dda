import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { IconName } from '../../components/icons.tsx'
import { titleOf } from '../../pages/feeds/queries.ts'
import { feedsQuery } from '../../pages/library/feeds-query.ts'
import { readableKind } from '../../session/permissions.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import type { Item, ItemSection } from './recent.ts'
import type { Command, GroupId } from './use-commands.ts'
import { useSettingsItems } from './use-settings-items.ts'

const PAUSE_MS = 120
const MOST = 8
/** A shorter text is in too many descriptions. */
const SHORTEST = 3

interface Found {
  commands: Command[]
  isPending: boolean
  error: unknown
}

/** What has the text in its name, or is what it names by its id: of the project, and of the organization. */
export function useFound(typed: string): Found {
  const { projectId, client } = useProject()
  const may = usePermission()
  const open = useOpenItem()
  const asked = useSettled(typed.trim())
  const { isAllowed, kind } = readableKind(may)
  const q = asked.slice(0, 200)
  const media = useQuery({
    queryKey: ['palette', projectId, 'media', q, kind],
    enabled: isAllowed && q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.get('/media', { query: { q, limit: MOST, ...(kind && { kind }) }, signal }),
  })
  const arePostsAsked = may('posts:read') && [...q].length >= SHORTEST
  const posts = useQuery({
    queryKey: ['palette', projectId, 'posts', q],
    enabled: arePostsAsked,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const path = { projectId }
      return client.get('/posts/v1/projects/{projectId}/posts', { path, query: { q, limit: MOST }, signal })
    },
  })
  const areFeedsAsked = may('feeds:read') && q !== ''
  const feeds = useQuery({ ...feedsQuery(projectId), enabled: areFeedsAsked, staleTime: 0 })
  const settings = useSettingsItems(q !== '')
  const wanted = asked.toLowerCase()
  const isNamed = ({ id, name }: { id: string; name: string }) =>
    name.toLowerCase().includes(wanted) || id === wanted || (isId(wanted) && id.startsWith(wanted))
  const named = <Named extends { id: string; name: string }>(all: readonly Named[]) =>
    all.filter(isNamed).slice(0, MOST)
  const commands = asked
    ? [
        ...(media.data?.data ?? []).map(({ id, kind, name }) => open(id, { kind, name })),
        ...named(feeds.data ?? []).map(({ id, name }) => open(id, { kind: 'feed', name })),
        ...(arePostsAsked ? (posts.data?.data ?? []) : []).map((post) => {
          const { id, feed_id: feedId, published } = post
          return open(id, { kind: 'post', name: titleOf(post), feedId, isDraft: !published })
        }),
        ...settings.lists.flatMap(({ section, items }) =>
          named(items).map(({ id, name }) => open(id, { kind: 'setting', section, name })),
        ),
      ]
    : []
  const isPending =
    typed.trim() !== asked ||
    media.isPlaceholderData ||
    (asked !== '' && isAllowed && media.isPending) ||
    (arePostsAsked && posts.isFetching) ||
    (areFeedsAsked && feeds.isPending) ||
    (asked !== '' && settings.isPending)
  return { commands, isPending, error: media.error ?? posts.error ?? feeds.error ?? settings.error }
}

/** Not the first letters of a name: all keys begin with the same. */
const isId = (wanted: string): boolean => /^[a-z]+_./.test(wanted)

const ICONS: Record<ItemSection, IconName> = {
  keys: 'key',
  members: 'user',
  policies: 'settings',
  webhooks: 'external',
  'signing-keys': 'key',
}

function looksOf(item: Item): { group: GroupId; icon: IconName } {
  if (item.kind === 'setting') return { group: item.section, icon: ICONS[item.section] }
  if (item.kind === 'post') return { group: 'posts', icon: 'feeds' }
  return item.kind === 'feed' ? { group: 'feeds', icon: 'feeds' } : { group: 'media', icon: item.kind }
}

/** Makes a command of something that has a page, or a place on one. */
export function useOpenItem(): (id: string, item: Item) => Command {
  const { projectId } = useProject()
  const navigate = useNavigate()
  return (id, item) => ({
    id,
    ...looksOf(item),
    title: item.name,
    item,
    run: () => {
      const inProject = { projectId }
      if (item.kind === 'setting') {
        const params = { ...inProject, section: item.section }
        void navigate({ to: '/$projectId/settings/$section', params, search: { item: id } as never })
      } else if (item.kind === 'post') {
        const search = { ...(item.isDraft && { tab: 'draft' }), item: id }
        const params = { ...inProject, feedId: item.feedId }
        void navigate({ to: '/$projectId/feeds/$feedId', params, search: search as never })
      } else if (item.kind === 'video')
        void navigate({ to: '/$projectId/videos/$videoId', params: { ...inProject, videoId: id } })
      else if (item.kind === 'image')
        void navigate({ to: '/$projectId/images/$imageId', params: { ...inProject, imageId: id } })
      else void navigate({ to: '/$projectId/feeds/$feedId', params: { ...inProject, feedId: id } })
    },
  })
}

/** The text once somebody pauses: not every letter is asked for. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}
