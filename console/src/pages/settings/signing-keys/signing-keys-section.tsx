import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { copyText } from '../../../components/copy-button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { ShortId } from '../../../components/short-id.tsx'
import { ShownOnce } from '../../../components/shown-once.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { projectsQuery } from '../../../session/queries.ts'
import { words } from '../../../words.ts'
import { type SigningKey, signingKeysQuery } from '../queries.ts'
import { useAsked } from '../use-asked.ts'
import { useOrganization } from '../use-organization.ts'
import { CreateSigningKey } from './create-signing-key.tsx'
import styles from './signing-keys.module.css'

const text = words.settings.signingKeys

/** The keys that servers sign tokens for viewers of private media with. */
export function SigningKeysSection() {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const { data: projects } = useSuspenseQuery(projectsQuery())
  const { data: keys, error, refetch } = useQuery(signingKeysQuery(organization))
  const [asked, ask] = useAsked()
  const [deleted, setDeleted] = useState<SigningKey>()
  const [made, setMade] = useState<SigningKey>()
  const mayDelete = may('projects:write')
  // Whoever has one can show anybody all media, so only who may see all of it makes one.
  const mayCreate = mayDelete && may('videos:read') && may('images:read')

  const columns: Column<SigningKey>[] = [
    {
      title: text.name,
      cell: ({ name, id }) => (
        <>
          {name}
          <p className={styles.id}>
            <ShortId id={id} />
          </p>
        </>
      ),
    },
    {
      title: text.project,
      cell: ({ project_id }) => projects.find(({ id }) => id === project_id)?.name ?? project_id,
    },
    { title: text.created, cell: ({ created_at }) => <Ago at={created_at} /> },
  ]

  const refresh = () => cache.invalidateQueries({ queryKey: ['signing-keys', orgId] })

  async function remove({ id, name }: SigningKey): Promise<void> {
    const path = { org_id: orgId, signing_key_id: id }
    await client.delete('/organizations/{org_id}/signing-keys/v1/{signing_key_id}', { path })
    await refresh()
    notify.done(text.deleted(name))
  }

  const copy = ({ public_key }: SigningKey) => copyText(public_key).then(() => notify.done(text.copied))

  return (
    <Section
      title={words.settings.sections['signing-keys']}
      about={text.about}
      error={error}
      onRetry={refetch}
      actions={
        mayCreate && (
          <Button kind="primary" icon="plus" onClick={() => ask('new')}>
            {text.create}
          </Button>
        )
      }
    >
      <Table
        label={words.settings.sections['signing-keys']}
        columns={columns}
        rows={keys}
        keyOf={({ id }) => id}
        actions={(key) => (
          <Menu trigger={<IconButton label={words.settings.actionsOn(key.name)} icon="more" />}>
            <MenuItem onSelect={() => void copy(key)}>{text.copyPublic}</MenuItem>
            {mayDelete && (
              <MenuItem isDanger onSelect={() => setDeleted(key)}>
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
      <CreateSigningKey
        isOpen={asked === 'new' && mayCreate}
        onClose={() => ask(undefined)}
        onMade={(key) => {
          setMade(key)
          void refresh()
        }}
      />
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
      <ShownOnce
        title={text.madeTitle(made?.name ?? '')}
        about={text.madeText(made?.id ?? '')}
        text={made?.private_key}
        fileName={`${made?.id ?? ''}.pem`}
        onClose={() => setMade(undefined)}
      />
    </Section>
  )
}
