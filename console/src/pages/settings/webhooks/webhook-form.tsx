import { useSuspenseQuery } from '@tanstack/react-query'
import { Checkbox, CheckboxGroup } from '../../../components/checkbox.tsx'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { projectsQuery } from '../../../session/queries.ts'
import { words } from '../../../words.ts'
import type { Webhook } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './webhooks.module.css'

type Kind = Webhook['kinds'][number]

const text = words.settings.webhooks

const KINDS: Kind[] = [
  'video.ready',
  'video.processed',
  'video.failed',
  'video.deleted',
  'image.ready',
  'image.deleted',
  'post.published',
  'post.deleted',
  'upload.expired',
  'plan.changed',
  'key.rotated',
]

interface WebhookFormProps {
  /** The one to change; a new one where it is `new`. */
  webhook: Webhook | 'new' | undefined
  onClose: () => void
  onSaved: (webhook: Webhook) => void
}

export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const { client, orgId, projectId } = useOrganization()
  const { data: projects } = useSuspenseQuery(projectsQuery())
  const own = projects.filter(({ org_id }) => org_id === orgId)
  const edited = webhook === 'new' ? undefined : webhook

  async function save(form: FormData): Promise<void> {
    const body = {
      url: String(form.get('url')),
      description: String(form.get('description')),
      kinds: form.getAll('kinds') as Kind[],
    }
    if (!edited) {
      const project_id = String(form.get('project'))
      const path = { org_id: orgId }
      const made = { path, body: { project_id, ...body } }
      onSaved((await client.post('/organizations/{org_id}/webhooks/v1', made)).webhook)
      return
    }
    const path = { org_id: orgId, webhook_id: edited.id }
    const changed = await client.patch('/organizations/{org_id}/webhooks/v1/{webhook_id}', { path, body })
    onSaved(changed.webhook)
  }

  return (
    <FormDialog
      title={edited ? text.editTitle : text.create}
      isOpen={webhook !== undefined}
      onClose={onClose}
      submit={edited ? words.common.save : words.common.create}
      onSubmit={save}
    >
      <Field
        label={text.url}
        name="url"
        type="url"
        hint={text.urlHint}
        defaultValue={edited?.url ?? ''}
        placeholder="https://"
        maxLength={2000}
        required
        autoComplete="off"
      />
      {!edited && (
        <Select
          label={text.project}
          name="project"
          defaultValue={projectId}
          choices={own.map(({ id, name }) => [id, name] as const)}
        />
      )}
      <Field
        label={text.description}
        name="description"
        defaultValue={edited?.description ?? ''}
        maxLength={500}
        autoComplete="off"
      />
      <CheckboxGroup label={text.kinds}>
        <p className={styles.hint}>{text.kindsHint}</p>
        {KINDS.map((kind) => (
          <Checkbox
            key={kind}
            name="kinds"
            value={kind}
            label={kind}
            defaultChecked={edited?.kinds.includes(kind) ?? false}
          />
        ))}
      </CheckboxGroup>
    </FormDialog>
  )
}
