import { lazy, type RefObject, Suspense } from 'react'
import { UnderWay } from '../../under-way.tsx'
import { Help } from './help.tsx'
import { Palette } from './palette.tsx'

type ActionDialog = 'createFeed' | 'createKey' | 'createProject' | 'invite'
export type Opened = 'palette' | 'help' | ActionDialog

const dialogs = () => import('./action-dialogs.tsx')
const ActionDialogs = lazy(() => dialogs().then(({ ActionDialogs }) => ({ default: ActionDialogs })))

export interface CommandsProps {
  opened: Opened
  onOpen: (opened: Opened | undefined) => void
  /** What was typed before there was anything to type into. */
  typedEarly: RefObject<string>
}

/** What is opened from anywhere: the palette, the help, and what the palette's actions ask for. */
export function Commands({ opened, onOpen, typedEarly }: CommandsProps) {
  const close = () => onOpen(undefined)
  if (opened === 'palette') return <Palette onOpen={onOpen} typedEarly={typedEarly} />
  if (opened === 'help') return <Help onClose={close} />
  return (
    <Suspense fallback={<UnderWay />}>
      <ActionDialogs opened={opened} onClose={close} />
    </Suspense>
  )
}
