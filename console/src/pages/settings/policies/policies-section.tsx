import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, IconButton } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { type Policy, permissionsQuery, policiesQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { Attachments } from './attachments.tsx'
import { sentenceOf } from './permission-words.ts'
import styles from './policies.module.css'
import { PolicyForm } from './policy-form.tsx'

const text = words.settings.policies

/** Which dialog is open is in the address: `policy` is an id or `new`, `attached` an id. */
export function PoliciesSection() {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const navigate = useNavigate()
  const { policy: edited, attached } = useSearch({ strict: false }) as Record<string, string | undefined>
  const { data: policies, error, refetch } = useQuery(policiesQuery(organization))
  const { data: permissions = [] } = useQuery(permissionsQuery(organization))
  const [deleted, setDeleted] = useState<Policy>()
  const policyOf = (id: string | undefined) => policies?.find((policy) => policy.id === id)

  const show = (search: { policy?: string; attached?: string }) =>
    void navigate({ to: '.', search: search as never, replace: true })

  async function remove({ id, name }: Policy): Promise<void> {
    const path = { org_id: orgId, policy_id: id }
    await client.delete('/auth/v1/memberships/{org_id}/policies/{policy_id}', { path })
    await cache.invalidateQueries({ queryKey: ['policies', orgId] })
    notify.done(text.deleted(name))
  }

  return (
    <Section
      title={words.settings.sections.policies}
      about={text.about}
      error={error}
      onRetry={refetch}
      actions={
        may('policies:write') && (
          <Button kind="primary" icon="plus" onClick={() => show({ policy: 'new' })}>
            {text.create}
          </Button>
        )
      }
    >
      <Table
        label={words.settings.sections.policies}
        columns={[
          {
            title: text.name,
            cell: ({ name, description }) => (
              <>
                {name}
                {description && <p className={styles.description}>{description}</p>}
              </>
            ),
          },
          { title: text.allows, cell: ({ permissions: held }) => sentenceOf(held, permissions) },
        ]}
        rows={policies}
        keyOf={({ id }) => id}
        actions={(policy) => (
          <Menu trigger={<IconButton label={words.settings.actionsOn(policy.name)} icon="more" />}>
            <MenuItem onSelect={() => show({ attached: policy.id })}>{text.attached}</MenuItem>
            {may('policies:write') && (
              <MenuItem onSelect={() => show({ policy: policy.id })}>{text.edit}</MenuItem>
            )}
            {may('policies:delete') && (
              <MenuItem isDanger onSelect={() => setDeleted(policy)}>
                {text.delete}
              </MenuItem>
            )}
          </Menu>
        )}
        empty={
          <Empty title={text.none}>
            <p>{text.noneText}</p>
          </Empty>
        }
      />
      {may('policies:write') && permissions.length > 0 && (
        <PolicyForm
          key={edited}
          isOpen={edited === 'new' || policyOf(edited) !== undefined}
          policy={policyOf(edited)}
          all={permissions}
          onClose={() => show({})}
        />
      )}
      <Attachments policy={policyOf(attached)} onClose={() => show({})} />
      <FormDialog
        title={text.deleteTitle(deleted?.name ?? '')}
        isOpen={!!deleted}
        onClose={() => setDeleted(undefined)}
        submit={words.common.delete}
        isDanger
        onSubmit={async () => deleted && remove(deleted)}
      >
        <p>{text.deleteText}</p>
      </FormDialog>
    </Section>
  )
}
