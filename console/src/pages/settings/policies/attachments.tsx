import type { Schemas } from '@marquee/client'
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Problem } from '../../../components/problem.tsx'
import { Select } from '../../../components/select.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { attachmentsQuery, keysQuery, membersQuery, type Policy } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './policies.module.css'

type NewAttachment = Schemas['NewPolicyAttachment']
type Attachment = Schemas['PolicyAttachment']

const text = words.settings.policies
const mutationKey = ['attach-policy']

/** Whom a policy is attached to, and a way to attach it to others. */
export function Attachments({ policy, onClose }: { policy: Policy | undefined; onClose: () => void }) {
  const isBusy = useIsMutating({ mutationKey }) > 0
  return (
    <Dialog
      title={text.attachedTitle(policy?.name ?? '')}
      isOpen={!!policy}
      onClose={onClose}
      isBusy={isBusy}
    >
      {policy && <List policy={policy} />}
    </Dialog>
  )
}

function List({ policy }: { policy: Policy }) {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const query = attachmentsQuery(organization, policy.id)
  const { data: attachments, error } = useQuery(query)
  const { data: members = [] } = useQuery({ ...membersQuery(organization), enabled: may('members:read') })
  const { data: keys = [] } = useQuery({ ...keysQuery(organization), enabled: may('keys:read') })
  const [chosen, setChosen] = useState('')
  const path = { org_id: orgId }

  const refresh = () =>
    Promise.all([query.queryKey, ['members', orgId]].map((queryKey) => cache.invalidateQueries({ queryKey })))

  const attach = useMutation({
    mutationKey,
    mutationFn: (body: NewAttachment) =>
      client.post('/auth/v1/memberships/{org_id}/policies/{policy_id}/attachments', {
        path: { ...path, policy_id: policy.id },
        body,
      }),
    onSuccess: () => setChosen(''),
    onSettled: refresh,
  })

  async function detach({ id, identity_type, identity_id }: Attachment): Promise<void> {
    try {
      await client.delete('/auth/v1/memberships/{org_id}/policies/attachments/{attachment_id}', {
        path: { ...path, attachment_id: id },
      })
      const again = { identity_type, identity_id } as NewAttachment
      notify.done(text.detached(nameOf(identity_id)), () => attach.mutate(again))
    } catch (refusal) {
      notify.failed(text.notDetached, refusal)
    }
    await refresh()
  }

  const nameOf = (id: string): string =>
    members.find(({ user_id }) => user_id === id)?.email ?? keys.find((key) => key.id === id)?.name ?? id

  const isAttached = (id: string) => attachments?.some(({ identity_id }) => identity_id === id)
  const choices = [
    // Owners may do everything, whatever is attached to them.
    ...members.filter(({ role }) => role !== 'owner').map(({ user_id, email }) => [user_id, email] as const),
    ...keys
      .filter(({ kind }) => kind === 'sk')
      .map(({ id, name, project_name }) => [id, text.key(name, project_name)] as const),
  ].filter(([id]) => !isAttached(id))

  return (
    <>
      <p className={styles.soft}>{text.attachedText}</p>
      <Problem error={error} />
      <ul className={styles.attached} aria-label={text.attached}>
        {attachments ? (
          attachments.map((one) => (
            <li key={one.id}>
              <span>{nameOf(one.identity_id)}</span>
              <span className={styles.soft}>
                {one.identity_type === 'POLICY_IDENTITY_TYPE_USER' ? text.member : text.secretKey}
              </span>
              {may('policies:write') && (
                <Button
                  kind="quiet"
                  aria-label={text.detachOf(nameOf(one.identity_id))}
                  onClick={() => void detach(one)}
                >
                  {text.detach}
                </Button>
              )}
            </li>
          ))
        ) : (
          <li>
            <Skeleton width="60%" />
          </li>
        )}
      </ul>
      {attachments?.length === 0 && <p>{text.attachedToNobody}</p>}
      {may('policies:write') && choices.length > 0 && (
        <div className={styles.attach}>
          <Select
            label={text.attachTo}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
            choices={[['', text.choose], ...choices]}
          />
          <Button
            disabled={!chosen}
            isBusy={attach.isPending}
            onClick={() =>
              attach.mutate({
                identity_type: chosen.startsWith('key_')
                  ? 'POLICY_IDENTITY_TYPE_API_KEY'
                  : 'POLICY_IDENTITY_TYPE_USER',
                identity_id: chosen,
              } as NewAttachment)
            }
          >
            {text.attach}
          </Button>
        </div>
      )}
      <Problem error={attach.error} />
    </>
  )
}
