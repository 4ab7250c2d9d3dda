import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Checkbox, CheckboxGroup } from '../../../components/checkbox.tsx'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { ShownOnce } from '../../../components/shown-once.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { policiesQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'

const text = words.settings.members

/** Invites an address by mail, or by a link to pass on, which is shown once. */
export function Invite({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const organization = useOrganization()
  const { client, orgId, isOwner, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const { data: policies } = useQuery({
    ...policiesQuery(organization),
    enabled: isOpen && may('policies:read'),
  })
  const [role, setRole] = useState<'member' | 'owner'>('member')
  const [link, setLink] = useState<{ email: string; link: string }>()

  async function invite(form: FormData): Promise<void> {
    const email = String(form.get('email'))
    const policy_ids = role === 'owner' ? [] : form.getAll('policy').map(String)
    const invitation = await client.post('/auth/v1/memberships/{org_id}/invite', {
      path: { org_id: orgId },
      body: { email, role, policy_ids, as_link: form.has('as_link') },
    })
    await cache.invalidateQueries({ queryKey: ['invitations', orgId] })
    if (invitation.link) setLink({ email, link: invitation.link })
    else notify.done(text.mailed(email))
  }

  return (
    <>
      <FormDialog
        title={text.invite}
        isOpen={isOpen}
        onClose={() => {
          setRole('member')
          onClose()
        }}
        submit={text.inviteSubmit}
        onSubmit={invite}
      >
        <Field label={text.email} name="email" type="email" required autoComplete="off" />
        <Select
          label={text.role}
          name="role"
          value={role}
          onChange={(event) => setRole(event.target.value === 'owner' ? 'owner' : 'member')}
          hint={text.roleHints[role]}
          choices={[
            ['member', text.roles.member],
            ...(isOwner ? [['owner', text.roles.owner] as const] : []),
          ]}
        />
        {role === 'member' && policies && policies.length > 0 && (
          <CheckboxGroup label={words.settings.sections.policies}>
            {policies.map(({ id, name, description }) => (
              <Checkbox
                key={id}
                name="policy"
                value={id}
                label={name}
                {...(description && { hint: description })}
              />
            ))}
          </CheckboxGroup>
        )}
        {role === 'member' && policies?.length === 0 && <p>{text.noPolicies}</p>}
        <Checkbox name="as_link" label={text.asLink} hint={text.asLinkHint} />
      </FormDialog>
      <ShownOnce
        title={text.linkTitle(link?.email ?? '')}
        about={text.linkText}
        text={link?.link}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}
