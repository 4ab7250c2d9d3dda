import { useSuspenseQuery } from '@tanstack/react-query'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { projectsQuery } from '../../../session/queries.ts'
import { words } from '../../../words.ts'
import type { SigningKey } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'

const text = words.settings.signingKeys

export function CreateSigningKey({
  isOpen,
  onClose,
  onMade,
}: {
  isOpen: boolean
  onClose: () => void
  onMade: (key: SigningKey) => void
}) {
  const { client, orgId, projectId } = useOrganization()
  const { data: projects } = useSuspenseQuery(projectsQuery())
  const own = projects.filter(({ org_id }) => org_id === orgId)

  async function create(form: FormData): Promise<void> {
    const body = { name: String(form.get('name')), project_id: String(form.get('project')) }
    const path = { org_id: orgId }
    const { signing_key } = await client.post('/organizations/{org_id}/signing-keys/v1', { path, body })
    onMade(signing_key)
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
        label={text.project}
        name="project"
        defaultValue={projectId}
        choices={own.map(({ id, name }) => [id, name] as const)}
      />
    </FormDialog>
  )
}
