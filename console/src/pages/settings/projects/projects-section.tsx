import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { Select } from '../../../components/select.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { projectsQuery } from '../../../session/queries.ts'
import { words } from '../../../words.ts'
import { type ProjectSettings as Project, projectSettingsQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { CustomDomain } from './custom-domain.tsx'

const text = words.settings.projects
const QUALITIES = Object.entries(text.qualities)
type Quality = 'basic' | 'shorts' | 'pro'

const COLUMNS: Column<Project>[] = [
  { title: text.name, cell: ({ name }) => name },
  {
    title: text.quality,
    cell: ({ video_quality }) => text.qualities[video_quality as Quality] ?? video_quality,
  },
  {
    title: text.domain,
    cell: ({ custom_domain, custom_domain_status }) =>
      custom_domain ? (
        <>
          {custom_domain}{' '}
          <Badge kind={custom_domain_status === 'verified' ? 'good' : 'warning'}>
            {text.domainStatus[custom_domain_status ?? 'pending']}
          </Badge>
        </>
      ) : (
        '–'
      ),
  },
  { title: text.created, cell: ({ created_at }) => <Ago at={created_at} /> },
]

/** Which dialog is open, and about which project. */
interface Opened {
  dialog: 'create' | 'rename' | 'quality' | 'domain' | 'delete'
  project?: Project
}

export function ProjectsSection() {
  const organization = useOrganization()
  const { client, orgId, projectId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const navigate = useNavigate()
  const { data: projects, error, refetch } = useQuery(projectSettingsQuery(organization))
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const { dialog, project } = opened ?? {}
  const path = { org_id: orgId, project_id: project?.id ?? '' }
  const refresh = () => cache.invalidateQueries({ queryKey: ['projects'] })

  async function create(form: FormData): Promise<void> {
    const made = await client.post('/organizations/{org_id}/projects/v1', {
      path,
      body: { name: String(form.get('name')), video_quality: form.get('quality') as Quality },
    })
    await refresh()
    notify.done(text.made(made.name))
    // A new project begins where every project begins.
    await navigate({ to: '/$projectId/start', params: { projectId: made.id } })
  }

  async function rename(form: FormData): Promise<void> {
    const body = { name: String(form.get('name')) }
    await client.patch('/organizations/{org_id}/projects/v1/{project_id}/name', { path, body })
    await refresh()
  }

  async function setQuality(form: FormData): Promise<void> {
    const body = { video_quality: form.get('quality') as Quality }
    await client.patch('/organizations/{org_id}/projects/v1/{project_id}/video-quality', { path, body })
    await refresh()
  }

  async function remove(form: FormData): Promise<void> {
    const query = { confirm: String(form.get('confirm')) }
    await client.delete('/organizations/{org_id}/projects/v1/{project_id}', { path, query })
    const { queryKey } = projectsQuery()
    const left = cache.getQueryData(queryKey)?.filter(({ id }) => id !== project?.id) ?? []
    cache.setQueryData(queryKey, left)
    notify.done(text.deleted(project?.name ?? ''))
    if (project?.id === projectId) await leave(left)
    await refresh()
  }

  /** The page of a project that is gone shows nothing: on to these settings in the next one, or to where one begins. */
  async function leave(left: Pick<Project, 'id' | 'org_id'>[]): Promise<void> {
    const next = left.find(({ org_id }) => org_id === orgId) ?? left[0]
    if (!next) return navigate({ to: '/', replace: true })
    const params = { projectId: next.id, section: 'projects' }
    await navigate({ to: '/$projectId/settings/$section', params, replace: true })
  }

  const actionsOn = (one: Project) => (
    <Menu trigger={<IconButton label={words.settings.actionsOn(one.name)} icon="more" />}>
      {may('projects:write') && (
        <>
          <MenuItem onSelect={() => setOpened({ dialog: 'rename', project: one })}>{text.rename}</MenuItem>
          <MenuItem onSelect={() => setOpened({ dialog: 'quality', project: one })}>
            {text.setQuality}
          </MenuItem>
          <MenuItem onSelect={() => setOpened({ dialog: 'domain', project: one })}>{text.setDomain}</MenuItem>
        </>
      )}
      {may('projects:delete') && (
        <MenuItem isDanger onSelect={() => setOpened({ dialog: 'delete', project: one })}>
          {text.delete}
        </MenuItem>
      )}
    </Menu>
  )

  const quality = (
    <Select
      label={text.quality}
      name="quality"
      hint={text.qualityHint}
      defaultValue={project?.video_quality ?? 'basic'}
      choices={QUALITIES}
    />
  )
  return (
    <Section
      title={words.settings.sections.projects}
      about={text.about}
      actions={
        may('projects:write') && (
          <Button kind="primary" icon="plus" onClick={() => setOpened({ dialog: 'create' })}>
            {text.create}
          </Button>
        )
      }
      error={error}
      onRetry={refetch}
    >
      <Table
        label={words.settings.sections.projects}
        columns={COLUMNS}
        rows={projects}
        keyOf={({ id }) => id}
        {...((may('projects:write') || may('projects:delete')) && { actions: actionsOn })}
      />
      <FormDialog
        title={text.create}
        isOpen={dialog === 'create'}
        onClose={close}
        submit={words.common.create}
        onSubmit={create}
      >
        <Field label={text.name} name="name" maxLength={200} required autoComplete="off" />
        {quality}
      </FormDialog>
      <FormDialog
        title={text.rename}
        isOpen={dialog === 'rename'}
        onClose={close}
        submit={words.common.save}
        onSubmit={rename}
      >
        <Field
          label={text.name}
          name="name"
          defaultValue={project?.name}
          maxLength={200}
          required
          autoComplete="off"
        />
      </FormDialog>
      <FormDialog
        title={text.setQuality}
        isOpen={dialog === 'quality'}
        onClose={close}
        submit={words.common.save}
        onSubmit={setQuality}
      >
        {quality}
      </FormDialog>
      <CustomDomain project={dialog === 'domain' ? project : undefined} onClose={close} />
      <FormDialog
        title={text.deleteTitle(project?.name ?? '')}
        isOpen={dialog === 'delete'}
        onClose={close}
        submit={words.common.delete}
        isDanger
        onSubmit={remove}
      >
        <p>{text.deleteText}</p>
        <Field label={text.confirm(project?.name ?? '')} name="confirm" required autoComplete="off" />
      </FormDialog>
    </Section>
  )
}
