import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../session/use-project.ts'
import { words } from '../words.ts'
import { Editable } from './editable.tsx'
import { Icon } from './icons.tsx'
import styles from './media-header.module.css'

interface MediaHeaderProps {
  name: string
  /** Left out where it may not be changed. */
  onRename?: ((name: string) => void) | undefined
  actions?: ReactNode
}

/** A way back to the library, the name of what is looked at, and what can be done with it. */
export function MediaHeader({ name, onRename, actions }: MediaHeaderProps) {
  const { projectId } = useProject()
  return (
    <header className={styles.header}>
      <Link
        to="/$projectId/library"
        params={{ projectId }}
        className={styles.back!}
        aria-label={words.nav.library}
        title={words.nav.library}
      >
        <Icon name="back" />
      </Link>
      <div className={styles.name}>
        <h1 className={onRename && 'visually-hidden'}>{name}</h1>
        {onRename && (
          <Editable
            kind="title"
            label={words.media.name}
            value={name}
            maxLength={1024}
            isRequired
            onSave={onRename}
          />
        )}
      </div>
      <div className={styles.actions}>{actions}</div>
    </header>
  )
}
