import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { isGranted } from '../../../session/permissions.ts'
import { words } from '../../../words.ts'
import type { Policy } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { actionWord, resourceHint, resourceWord } from './permission-words.ts'
import { partsOf, toggled } from './permissions.ts'
import styles from './policies.module.css'

const text = words.settings.policies

interface PolicyFormProps {
  isOpen: boolean
  /** Undefined: a new one is made. */
  policy: Policy | undefined
  /** Every permission there is. */
  all: string[]
  onClose: () => void
}

/** A policy's name, and a grid of what it allows: things downwards, what may be done with them across. */
export function PolicyForm({ isOpen, policy, all, onClose }: PolicyFormProps) {
  const { client, orgId, may } = useOrganization()
  const cache = useQueryClient()
  const notify = useNotify()
  const [permissions, setPermissions] = useState<string[]>(policy?.permissions ?? [])
  const { resources, actions } = partsOf(all)

  async function save(form: FormData): Promise<void> {
    const body = { name: String(form.get('name')), description: String(form.get('description')), permissions }
    const path = { org_id: orgId }
    if (policy)
      await client.put('/auth/v1/memberships/{org_id}/policies/{policy_id}', {
        path: { ...path, policy_id: policy.id },
        body,
      })
    else await client.post('/auth/v1/memberships/{org_id}/policies', { path, body })
    await cache.invalidateQueries({ queryKey: ['policies', orgId] })
    notify.done(text.saved(body.name))
  }

  return (
    <FormDialog
      title={policy ? text.editTitle : text.create}
      isOpen={isOpen}
      onClose={onClose}
      submit={policy ? words.common.save : words.common.create}
      onSubmit={save}
      isWide
    >
      <Field
        label={text.name}
        name="name"
        defaultValue={policy?.name}
        maxLength={200}
        required
        autoComplete="off"
      />
      <Field
        label={text.description}
        name="description"
        defaultValue={policy?.description}
        maxLength={1000}
        autoComplete="off"
      />
      <table className={styles.grid} aria-label={text.allows}>
        <thead>
          <tr>
            <th scope="col">{text.allows}</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                {actionWord(action)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <tr key={resource}>
              <th scope="row">
                {resourceWord(resource)}
                <p className={styles.description}>{resourceHint(resource)}</p>
              </th>
              {actions.map((action) => {
                const permission = `${resource}:${action}`
                return (
                  <td key={action}>
                    {all.includes(permission) && (
                      <label title={permission}>
                        <input
                          type="checkbox"
                          aria-label={`${resourceWord(resource)}: ${actionWord(action)}`}
                          checked={isGranted(permissions, permission)}
                          // Nobody grants what they do not hold.
                          disabled={!may(permission) && !isGranted(permissions, permission)}
                          onChange={() => setPermissions(toggled(permissions, permission, all))}
                        />
                      </label>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  )
}
