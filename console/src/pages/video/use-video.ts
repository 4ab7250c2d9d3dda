import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMediaToken } from '../../session/use-opened.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { useChange } from '../../use-change.ts'
import { refreshItem } from '../library/refresh-media.ts'
import { type Video, videoQuery } from './queries.ts'

/** Which video the address names, and whether whoever looks at it may change it. */
export function useVideo() {
  const { videoId = '' } = useParams({ strict: false })
  const { projectId, client } = useProject()
  const may = usePermission()
  return { of: { client, projectId, videoId }, client, videoId, mayWrite: may('videos:write') }
}

/** Has the library show the video as it has become. */
export function useRefreshInLibrary(): () => void {
  const { of } = useVideo()
  return () => void refreshItem(of.client, of.projectId, { kind: 'video', id: of.videoId })
}

/** What opens all that belongs to the video: a token where it is private, once there is one. */
export function useOpening() {
  const { of } = useVideo()
  const visibility = useQuery(videoQuery(of)).data?.visibility
  const token = useMediaToken(visibility)
  return { token, isOpen: visibility !== 'private' || token !== undefined }
}

/** Changes the record of the video, at once. */
export function useChangeVideo<Change>(change: {
  send: (change: Change) => Promise<Partial<Video>>
  show: (video: Video, change: Change) => Video
  onSaved?: () => void
}) {
  const { of } = useVideo()
  return useChange({ queryKey: videoQuery(of).queryKey, ...change })
}
