import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { clientOf } from '../../api.ts'
import { readableKind } from '../../session/permissions.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import type { Recent } from './recent.ts'
import type { Command } from './use-commands.ts'

const PAUSE_MS = 120
const MOST = 8

interface Found {
  commands: Command[]
  isPending: boolean
  error: unknown
}

/** Videos, images and feeds whose names, descriptions or ids have the text. */
export function useFound(typed: string): Found {
  const { projectId } = useProject()
  const may = usePermission()
  const open = useOpenItem()
  const asked = useSettled(typed.trim())
  const { isAllowed, kind } = readableKind(may)
  const client = clientOf(projectId)
  const media = useQuery({
    queryKey: ['palette', projectId, 'media', asked, kind],
    enabled: isAllowed && asked !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.get('/media', { query: { q: asked.slice(0, 200), limit: MOST, ...(kind && { kind }) }, signal }),
  })
  const feeds = useQuery({
    queryKey: ['palette', projectId, 'feeds'],
    enabled: may('feeds:read') && asked !== '',
    staleTime: 0,
    queryFn: ({ signal }) => client.get('/feeds', { query: { limit: 100 }, signal }),
  })
  const wanted = asked.toLowerCase()
  const isNamed = ({ id, name }: { id: string; name: string }) =>
    name.toLowerCase().includes(wanted) || id.startsWith(wanted)
  const commands = asked
    ? [
        ...(media.data?.data ?? []).map(({ id, kind, name }) =>
          open({ id, projectId, item: { kind, name } }),
        ),
        ...(feeds.data?.data ?? [])
          .filter(isNamed)
          .slice(0, MOST)
          .map(({ id, name }) => open({ id, projectId, item: { kind: 'feed', name } })),
      ]
    : []
  const isPending =
    typed.trim() !== asked || media.isPlaceholderData || (asked !== '' && isAllowed && media.isPending)
  return { commands, isPending, error: media.error ?? feeds.error }
}

/** Makes a command of something that has a page of its own. */
export function useOpenItem(): (item: Required<Recent>) => Command {
  const navigate = useNavigate()
  return ({ id, projectId, item: { kind, name } }) => ({
    id,
    group: kind === 'feed' ? 'feeds' : 'media',
    title: name,
    icon: kind === 'feed' ? 'feeds' : kind,
    run: () => {
      if (kind === 'video')
        void navigate({ to: '/$projectId/videos/$videoId', params: { projectId, videoId: id } })
      else if (kind === 'image')
        void navigate({ to: '/$projectId/images/$imageId', params: { projectId, imageId: id } })
      else void navigate({ to: '/$projectId/feeds/$feedId', params: { projectId, feedId: id } })
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
