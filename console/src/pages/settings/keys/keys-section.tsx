import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { ShownOnce } from '../../../components/shown-once.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { type ApiKey, keysQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { CreateKey } from './create-key.tsx'
import styles from './keys.module.css'
import { RotateKey } from './rotate-key.tsx'

const text = words.settings.keys

const COLUMNS: Column<ApiKey>[] = [
  {
    title: text.name,
    cell: ({ name, kind }) => (
      <>
        {name}
        <p className={styles.kind}>{kind === 'pk' ? text.publishable : text.secret}</p>
      </>
    ),
  },
  { title: text.project, cell: ({ project_name }) => project_name },
  { title: text.created, cell: ({ created_at }) => <Ago at={created_at} /> },
  { title: text.lastUsed, cell: ({ last_used }) => (last_used ? <Ago at={last_used} /> : text.neverUsed) },
  {
    title: text.expires,
    cell: ({ expiring_at }) => (expiring_at ? <Ago at={expiring_at} /> : text.neverExpires),
  },
]

export function KeysSection() {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const { data: keys, error, refetch } = useQuery(keysQuery(organization))
  const [isCreating, setCreating] = useState(false)
  const [rotated, setRotated] = useState<ApiKey>()
  const [revoked, setRevoked] = useState<ApiKey>()
  const [made, setMade] = useState<ApiKey>()

  const refresh = () => cache.invalidateQueries({ queryKey: ['keys', orgId] })

  async function revoke({ id, name }: ApiKey): Promise<void> {
    const path = { org_id: orgId, key_id: id }
    await client.delete('/organizations/{org_id}/api-keys/v1/{key_id}', { path })
    await refresh()
    notify.done(text.revoked(name))
  }

  const create = may('keys:write') && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  )
  return (
    <Section
      title={words.settings.sections.keys}
      about={text.about}
      actions={create}
      error={error}
      onRetry={refetch}
    >
      <Table
        label={words.settings.sections.keys}
        columns={COLUMNS}
        rows={keys}
        keyOf={({ id }) => id}
        {...((may('keys:write') || may('keys:delete')) && {
          actions: (key: ApiKey) => (
            <Menu trigger={<IconButton label={words.settings.actionsOn(key.name)} icon="more" />}>
              {may('keys:write') && <MenuItem onSelect={() => setRotated(key)}>{text.rotate}</MenuItem>}
              {may('keys:delete') && (
                <MenuItem isDanger onSelect={() => setRevoked(key)}>
                  {text.revoke}
                </MenuItem>
              )}
            </Menu>
          ),
        })}
        empty={
          <Empty title={text.none}>
            <p>{text.noneText}</p>
          </Empty>
        }
      />
      <CreateKey
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onMade={(key) => {
          setMade(key)
          void refresh()
        }}
      />
      <RotateKey
        apiKey={rotated}
        onClose={() => setRotated(undefined)}
        onMade={(key) => {
          setMade(key)
          void refresh()
        }}
      />
      <FormDialog
        title={text.revokeTitle(revoked?.name ?? '')}
        isOpen={!!revoked}
        onClose={() => setRevoked(undefined)}
        submit={text.revokeSubmit}
        isDanger
        onSubmit={async () => revoked && revoke(revoked)}
      >
        <p>{text.revokeText}</p>
        {revoked?.last_used && (
          <p>
            {text.lastUsed}: <Ago at={revoked.last_used} />
          </p>
        )}
      </FormDialog>
      <ShownOnce
        title={text.madeTitle(made?.name ?? '')}
        about={text.madeText}
        text={made?.secret}
        {...(made?.secret && made.kind !== 'pk' && { example: exampleOf(made.secret) })}
        onClose={() => setMade(undefined)}
      />
    </Section>
  )
}

const exampleOf = (secret: string) => `curl -H 'X-API-Key: ${secret}' ${location.origin}/videos`
