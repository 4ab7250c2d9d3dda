import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { FeedForm, readFeed } from '../../pages/feeds/feed-form.tsx'
import { CreateKey } from '../../pages/settings/keys/create-key.tsx'
import { Invite } from '../../pages/settings/members/invite.tsx'
import type { ApiKey } from '../../pages/settings/queries.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import type { Opened } from './commands.tsx'

interface ActionDialogsProps {
  opened: Exclude<Opened, 'palette' | 'help'>
  onClose: () => void
}

/** The dialogs of pages, opened wherever somebody is. */
export function ActionDialogs({ opened, onClose }: ActionDialogsProps) {
  if (opened === 'createFeed') return <NewFeed onClose={onClose} />
  if (opened === 'createProject') return <NewProject onClose={onClose} />
  if (opened === 'createKey') return <NewKey />
  return <NewMember />
}

function NewFeed({ onClose }: { onClose: () => void }) {
  const { projectId, client } = useProject()
  const cache = useQueryClient()
  const navigate = useNavigate()
  async function create(form: FormData): Promise<void> {
    const { id: feedId } = await client.post('/feeds', { body: readFeed(form) })
    await cache.invalidateQueries({ queryKey: ['feeds', projectId] })
    await navigate({ to: '/$projectId/feeds/$feedId', params: { projectId, feedId } })
  }
  return (
    <FormDialog
      title={words.feeds.create}
      submit={words.common.create}
      isOpen
      onClose={onClose}
      onSubmit={create}
    >
      <FeedForm />
    </FormDialog>
  )
}

function NewProject({ onClose }: { onClose: () => void }) {
  const { project, client } = useProject()
  const cache = useQueryClient()
  const navigate = useNavigate()
  async function create(form: FormData): Promise<void> {
    const { id: projectId } = await client.post('/organizations/{org_id}/projects/v1', {
      path: { org_id: project?.org_id ?? '' },
      body: { name: String(form.get('name')) },
    })
    await cache.invalidateQueries({ queryKey: ['projects'] })
    await navigate({ to: '/$projectId/start', params: { projectId } })
  }
  return (
    <FormDialog
      title={words.commands.createProject}
      submit={words.common.create}
      isOpen
      onClose={onClose}
      onSubmit={create}
    >
      <Field
        label={words.settings.projects.name}
        name="name"
        maxLength={200}
        required
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  )
}

/** Stays when the form is closed: the secret of a new key is still to be seen. */
function NewKey() {
  const { project } = useProject()
  const cache = useQueryClient()
  const [isAsked, setAsked] = useState(true)
  const [made, setMade] = useState<ApiKey>()
  const text = words.settings.keys
  return (
    <>
      <CreateKey
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onMade={(key) => {
          setMade(key)
          void cache.invalidateQueries({ queryKey: ['keys', project?.org_id] })
        }}
      />
      <ShownOnce
        title={text.madeTitle(made?.name ?? '')}
        about={text.madeText}
        text={made?.secret}
        onClose={() => setMade(undefined)}
      />
    </>
  )
}

/** As a new key: an invitation may have a link to pass on. */
function NewMember() {
  const [isAsked, setAsked] = useState(true)
  return <Invite isOpen={isAsked} onClose={() => setAsked(false)} />
}
