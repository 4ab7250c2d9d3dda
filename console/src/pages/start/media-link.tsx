import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Newest } from './progress.ts'

interface MediaLinkProps {
  projectId: string
  media: Newest
  children: ReactNode
}

export function MediaLink({ projectId, media: { id, kind }, children }: MediaLinkProps) {
  return kind === 'video' ? (
    <Link to="/$projectId/videos/$videoId" params={{ projectId, videoId: id }}>
      {children}
    </Link>
  ) : (
    <Link to="/$projectId/images/$imageId" params={{ projectId, imageId: id }}>
      {children}
    </Link>
  )
}
