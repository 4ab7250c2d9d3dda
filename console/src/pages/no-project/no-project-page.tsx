import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { clientOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Select } from '../../components/select.tsx'
import { isGranted } from '../../session/permissions.ts'
import { userQuery } from '../../session/queries.ts'
import { useSignOut } from '../../session/use-sign-out.ts'
import { words } from '../../words.ts'
import styles from './no-project-page.module.css'

const text = words.settings.projects

/** Whoever sees no project makes one, where they may, or asks somebody who may. */
export function NoProjectPage() {
  const { data: user } = useSuspenseQuery(userQuery())
  const cache = useQueryClient()
  const navigate = useNavigate()
  const leave = useSignOut()
  const [isCreating, setCreating] = useState(false)
  const own = user.organizations.filter(({ permissions }) => isGranted(permissions, 'projects:write'))

  async function create(form: FormData): Promise<void> {
    const made = await clientOf().post('/organizations/{org_id}/projects/v1', {
      path: { org_id: String(form.get('organization')) },
      body: { name: String(form.get('name')) },
    })
    await cache.invalidateQueries({ queryKey: ['projects'] })
    await navigate({ to: '/$projectId', params: { projectId: made.id } })
  }

  return (
    <main>
      <Empty title={own.length > 0 ? words.signIn.noProjectYet : words.product} isAlone>
        <p>{own.length > 0 ? text.about : words.signIn.noProject}</p>
        <div className={styles.actions}>
          {own.length > 0 && (
            <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
              {text.create}
            </Button>
          )}
          <Button onClick={leave}>{words.nav.signOut}</Button>
        </div>
      </Empty>
      <FormDialog
        title={text.create}
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        submit={words.common.create}
        onSubmit={create}
      >
        <Field label={text.name} name="name" maxLength={200} required autoComplete="off" />
        {own.length > 1 ? (
          <Select
            label={text.organization}
            name="organization"
            choices={own.map(({ id, name }) => [id, name] as const)}
          />
        ) : (
          <input type="hidden" name="organization" value={own[0]?.id} />
        )}
      </FormDialog>
    </main>
  )
}
