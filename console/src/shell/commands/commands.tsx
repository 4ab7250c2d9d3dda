import { lazy, Suspense } from 'react'
import { Help } from './help.tsx'
import { Palette } from './palette.tsx'

type ActionDialog = 'createFeed' | 'createKey' | 'createProject' | 'invite'
export type Opened = 'palette' | 'help' | ActionDialog

const dialogs = () => import('./action-dialogs.tsx')
const ActionDialogs = lazy(() => dialogs().then(({ ActionDialogs }) => ({ default: ActionDialogs })))

interface CommandsProps {
  opened: Opened
  onOpen: (opened: Opened | undefined) => void
}

/** What is opened from anywhere: the palette, the help, and what the palette's actions ask for. */
export function Commands({ opened, onOpen }: CommandsProps) {
  const close = () => onOpen(undefined)
  if (opened === 'palette') return <Palette onOpen={onOpen} />
  if (opened === 'help') return <Help onClose={close} />
  return (
    <Suspense>
      <ActionDialogs opened={opened} onClose={close} />
    </Suspense>
  )
}
