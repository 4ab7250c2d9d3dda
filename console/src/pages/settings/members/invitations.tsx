import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { IconButton } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { ShownOnce } from '../../../components/shown-once.tsx'
import { Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { type Invitation, invitationsQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { usePolicyNames } from './use-policy-names.ts'

const text = words.settings.members

/** Who is invited and has not answered yet. */
export function Invitations() {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(organization))
  const namesOf = usePolicyNames()
  const [withdrawn, setWithdrawn] = useState<Invitation>()
  const [renewed, setRenewed] = useState<Invitation>()
  const [made, setMade] = useState<{ email: string; link: string | undefined }>()
  if (invitations?.length === 0) return null

  async function renew({ email, role, policy_ids }: Invitation): Promise<void> {
    const { link } = await client.post('/auth/v1/memberships/{org_id}/invite', {
      path: { org_id: orgId },
      body: { email, role, policy_ids, as_link: true },
    })
    await cache.invalidateQueries({ queryKey: ['invitations', orgId] })
    setMade({ email, link })
  }

  async function withdraw({ id, email }: Invitation): Promise<void> {
    const path = { org_id: orgId, invitation_id: id }
    await client.delete('/auth/v1/memberships/{org_id}/invitations/{invitation_id}', { path })
    await cache.invalidateQueries({ queryKey: ['invitations', orgId] })
    notify.done(text.withdrawn(email))
  }

  return (
    <Section title={text.invitations} error={error} onRetry={refetch}>
      <Table
        label={text.invitations}
        columns={[
          { title: text.email, cell: ({ email }) => email },
          { title: text.role, cell: ({ role }) => text.roles[role] },
          {
            title: text.mayDo,
            cell: ({ role, policy_ids }) => (role === 'owner' ? text.everything : namesOf(policy_ids)),
          },
          { title: text.expires, cell: ({ expires_at }) => <Ago at={expires_at} /> },
        ]}
        rows={invitations}
        keyOf={({ id }) => id}
        {...(may('members:write') && {
          actions: (invitation: Invitation) => (
            <Menu trigger={<IconButton label={words.settings.actionsOn(invitation.email)} icon="more" />}>
              <MenuItem onSelect={() => setRenewed(invitation)}>{text.newLink}</MenuItem>
              <MenuItem isDanger onSelect={() => setWithdrawn(invitation)}>
                {text.withdraw}
              </MenuItem>
            </Menu>
          ),
        })}
      />
      <FormDialog
        title={text.withdrawTitle(withdrawn?.email ?? '')}
        isOpen={!!withdrawn}
        onClose={() => setWithdrawn(undefined)}
        submit={text.withdraw}
        isDanger
        onSubmit={async () => withdrawn && withdraw(withdrawn)}
      >
        <p>{text.withdrawText}</p>
      </FormDialog>
      <FormDialog
        title={text.newLinkTitle(renewed?.email ?? '')}
        isOpen={!!renewed}
        onClose={() => setRenewed(undefined)}
        submit={text.newLink}
        onSubmit={async () => renewed && renew(renewed)}
      >
        <p>{text.newLinkText}</p>
      </FormDialog>
      <ShownOnce
        title={text.linkTitle(made?.email ?? '')}
        about={text.linkText}
        text={made?.link}
        onClose={() => setMade(undefined)}
      />
    </Section>
  )
}
