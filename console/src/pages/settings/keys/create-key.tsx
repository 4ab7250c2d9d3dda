import { useSuspenseQuery } from '@tanstack/react-query'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { projectsQuery } from '../../../session/queries.ts'
import { words } from '../../../words.ts'
import type { ApiKey } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'

const text = words.settings.keys
const DAY = 86_400_000
const LIVES = [
  ['0', text.neverExpires],
  ['30', words.settings.days(30)],
  ['90', words.settings.days(90)],
  ['365', words.settings.days(365)],
] as const

export function CreateKey({
  isOpen,
  onClose,
  onMade,
}: {
  isOpen: boolean
  onClose: () => void
  onMade: (key: ApiKey) => void
}) {
  const { client, orgId, projectId } = useOrganization()
  const { data: projects } = useSuspenseQuery(projectsQuery())
  const own = projects.filter(({ org_id }) => org_id === orgId)

  async function create(form: FormData): Promise<void> {
    const days = Number(form.get('life'))
    const { api_key } = await client.post('/organizations/{org_id}/api-keys/v1', {
      path: { org_id: orgId },
      body: {
        name: String(form.get('name')),
        kind: form.get('kind') === 'pk' ? 'pk' : 'sk',
        project_id: String(form.get('project')),
        ...(days > 0 && { expiring_at: new Date(Date.now() + days * DAY).toISOString() }),
      },
    })
    onMade(api_key)
  }

  return (
    <FormDialog
      title={text.create}
      isOpen={isOpen}
      onClose={onClose}
      submit={words.common.create}
      onSubmit={create}
    >
      <Field label={text.name} name="name" hint={text.nameHint} maxLength={200} required autoComplete="off" />
      <Select
        label={text.kind}
        name="kind"
        hint={text.kindHint}
        choices={[
          ['sk', text.secret],
          ['pk', text.publishable],
        ]}
      />
      <Select
        label={text.project}
        name="project"
        defaultValue={projectId}
        choices={own.map(({ id, name }) => [id, name] as const)}
      />
      <Select label={text.expires} name="life" choices={LIVES} />
    </FormDialog>
  )
}
