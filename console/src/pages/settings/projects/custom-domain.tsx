import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { Problem } from '../../../components/problem.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { words } from '../../../words.ts'
import type { ProjectSettings as Project } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './custom-domain.module.css'

const text = words.settings.projects
const mutationKey = ['custom-domain']

/** Claims a domain for a project, shows the DNS record that proves it, and asks whether it is there. */
export function CustomDomain({ project, onClose }: { project: Project | undefined; onClose: () => void }) {
  const isBusy = useIsMutating({ mutationKey }) > 0
  return (
    <Dialog
      title={text.domainTitle(project?.name ?? '')}
      isOpen={!!project}
      onClose={onClose}
      isBusy={isBusy}
    >
      {project && <Claim projectId={project.id} />}
    </Dialog>
  )
}

function Claim({ projectId }: { projectId: string }) {
  const { client, orgId } = useOrganization()
  const cache = useQueryClient()
  const path = { org_id: orgId, project_id: projectId }
  const queryKey = ['project', projectId]
  // Alone it comes with the record; the list of projects has none.
  const { data: project, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.get('/organizations/{org_id}/projects/v1/{project_id}', { path, signal }),
  })

  const change = useMutation({
    mutationKey,
    mutationFn: (custom_domain: string | undefined) =>
      custom_domain === undefined
        ? client.delete('/organizations/{org_id}/projects/v1/{project_id}/custom-domain', { path })
        : client.put('/organizations/{org_id}/projects/v1/{project_id}/custom-domain', {
            path,
            body: { custom_domain },
          }),
    onSuccess: (changed) => {
      cache.setQueryData(queryKey, changed)
      return cache.invalidateQueries({ queryKey: ['projects'] })
    },
  })

  function claim(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    change.mutate(String(new FormData(event.currentTarget).get('domain')))
  }

  if (error) return <Problem error={error} />
  if (!project) return <Skeleton height={160} />
  const { custom_domain, custom_domain_status, custom_domain_record: record, notes } = project
  const isVerified = custom_domain_status === 'verified'
  return (
    <>
      {custom_domain ? (
        <>
          <p className={styles.domain}>
            <strong>{custom_domain}</strong>{' '}
            <Badge kind={isVerified ? 'good' : 'warning'}>
              {text.domainStatus[custom_domain_status ?? 'pending']}
            </Badge>
          </p>
          {record && !isVerified && <p>{text.recordText}</p>}
          {record && (
            <dl className={styles.record}>
              <Part name={text.recordType} value={record.type} />
              <Part name={text.recordName} value={record.name} />
              <Part name={text.recordValue} value={record.value} />
            </dl>
          )}
          <div className={styles.actions}>
            <Button kind="danger" isBusy={change.isPending} onClick={() => change.mutate(undefined)}>
              {text.removeDomain}
            </Button>
            {!isVerified && (
              <Button kind="primary" isBusy={change.isPending} onClick={() => change.mutate(custom_domain)}>
                {text.check}
              </Button>
            )}
          </div>
          {change.isSuccess && !isVerified && <p role="status">{text.notThere}</p>}
        </>
      ) : (
        <form className={styles.claim} onSubmit={claim}>
          <Field
            label={text.domain}
            name="domain"
            hint={text.domainHint}
            placeholder="media.example.com"
            required
            autoComplete="off"
          />
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {text.claim}
          </Button>
        </form>
      )}
      {notesOf(notes).map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      <Problem error={change.error} />
    </>
  )
}

/** What the service has to say of the domain, but that it is not proved, which is said above in other words. */
const notesOf = (notes: string[] = []): string[] =>
  notes.flatMap((note) => {
    const about = /^custom_domain: (?!not proved)(.)(.*)/.exec(note)
    return about ? [`${about[1]!.toUpperCase()}${about[2]}.`] : []
  })

function Part({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton text={value} />
      </dd>
    </>
  )
}
