import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { type Member, membersQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { usePolicyNames } from './use-policy-names.ts'

const text = words.settings.members

export function MembersSection() {
  const organization = useOrganization()
  const { client, orgId, userId, may, isOwner } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const { data: members, error, refetch } = useQuery(membersQuery(organization))
  const namesOf = usePolicyNames()
  const [isInviting, setInviting] = useState(false)
  const [removed, setRemoved] = useState<Member>()
  const key = membersQuery(organization).queryKey

  /** Shown as changed at once; put back, in sight, where the service refuses. */
  async function change(member: Member, changed: Partial<Pick<Member, 'role' | 'status'>>, isUndo = false) {
    const before = cache.getQueryData(key)
    cache.setQueryData(key, (known) =>
      known?.map((one) => (one.user_id === member.user_id ? { ...one, ...changed } : one)),
    )
    const path = { org_id: orgId, user_id: member.user_id }
    try {
      if (changed.role)
        await client.patch('/auth/v1/memberships/{org_id}/members/{user_id}/role', {
          path,
          body: { role: changed.role },
        })
      if (changed.status)
        await client.patch('/auth/v1/memberships/{org_id}/members/{user_id}/status', {
          path,
          body: { status: changed.status },
        })
      const { role, status } = member
      const undo = () => void change({ ...member, ...changed }, changed.role ? { role } : { status }, true)
      if (!isUndo) notify.done(text.changed(member.email), undo)
    } catch (refusal) {
      cache.setQueryData(key, before)
      notify.failed(text.notChanged(member.email), refusal)
    }
    await cache.invalidateQueries({ queryKey: key })
  }

  async function remove({ user_id, email }: Member): Promise<void> {
    const path = { org_id: orgId, user_id }
    await client.delete('/auth/v1/memberships/{org_id}/members/{user_id}', { path })
    await cache.invalidateQueries({ queryKey: key })
    notify.done(text.removed(email))
  }

  const columns: Column<Member>[] = [
    {
      title: text.email,
      cell: ({ email, user_id }) => (user_id === userId ? `${email} (${text.you})` : email),
    },
    { title: text.role, cell: ({ role }) => text.roles[role] },
    {
      title: text.mayDo,
      cell: ({ role, policy_ids }) => (role === 'owner' ? text.everything : namesOf(policy_ids)),
    },
    {
      title: text.status,
      cell: ({ status, email_verified }) =>
        status === 'suspended' ? (
          <Badge kind="warning">{text.suspended}</Badge>
        ) : email_verified ? (
          <Badge kind="good">{text.active}</Badge>
        ) : (
          <span title={text.unprovedText}>
            <Badge>{text.unproved}</Badge>
          </span>
        ),
    },
    { title: text.since, cell: ({ created_at }) => <Ago at={created_at} /> },
  ]

  /** What a member may do with another; owners are for owners. */
  const actionsOn = (member: Member) => {
    const { user_id, role, status } = member
    const isReached = user_id !== userId && (role !== 'owner' || isOwner)
    if (!isReached) return null
    return (
      <Menu trigger={<IconButton label={words.settings.actionsOn(member.email)} icon="more" />}>
        {isOwner && (
          <MenuItem onSelect={() => void change(member, { role: role === 'owner' ? 'member' : 'owner' })}>
            {role === 'owner' ? text.makeMember : text.makeOwner}
          </MenuItem>
        )}
        {may('members:write') && (
          <MenuItem
            onSelect={() => void change(member, { status: status === 'active' ? 'suspended' : 'active' })}
          >
            {status === 'active' ? text.suspend : text.letIn}
          </MenuItem>
        )}
        {may('members:delete') && (
          <MenuItem isDanger onSelect={() => setRemoved(member)}>
            {text.remove}
          </MenuItem>
        )}
      </Menu>
    )
  }

  return (
    <>
      <Section
        title={words.settings.sections.members}
        about={text.about}
        error={error}
        onRetry={refetch}
        actions={
          may('members:write') && (
            <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
              {text.invite}
            </Button>
          )
        }
      >
        <Table
          label={words.settings.sections.members}
          columns={columns}
          rows={members}
          keyOf={({ user_id }) => user_id}
          {...((may('members:write') || may('members:delete')) && { actions: actionsOn })}
        />
      </Section>
      <Invitations />
      <Invite isOpen={isInviting} onClose={() => setInviting(false)} />
      <FormDialog
        title={text.removeTitle(removed?.email ?? '')}
        isOpen={!!removed}
        onClose={() => setRemoved(undefined)}
        submit={words.common.remove}
        isDanger
        onSubmit={async () => removed && remove(removed)}
      >
        <p>{text.removeText}</p>
      </FormDialog>
    </>
  )
}
