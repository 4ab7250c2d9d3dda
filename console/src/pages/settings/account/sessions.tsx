import type { Schemas } from '@marquee/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ago } from '../../../components/ago.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Section } from '../../../components/section.tsx'
import { Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { signOut } from '../../../session/session.ts'
import { words } from '../../../words.ts'
import { useAsked } from '../use-asked.ts'
import { useOrganization } from '../use-organization.ts'
import { browserOf } from './browser-of.ts'

type Session = Schemas['Session']

const text = words.settings.account
const QUERY = ['sessions']

/** Where one is signed in, the newest first. */
export function Sessions() {
  const { client } = useOrganization()
  const cache = useQueryClient()
  const notify = useNotify()
  const [asked, ask] = useAsked()
  const { data, error, refetch } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => client.get('/auth/v1/sessions', { query: { limit: 100 }, signal }),
  })

  async function end({ id }: Session): Promise<void> {
    const before = cache.getQueryData<typeof data>(QUERY)
    cache.setQueryData<typeof data>(
      QUERY,
      (known) => known && { sessions: known.sessions.filter((one) => one.id !== id) },
    )
    try {
      await client.delete('/auth/v1/sessions/{session_id}', { path: { session_id: id } })
      notify.done(text.ended)
    } catch (refusal) {
      cache.setQueryData(QUERY, before)
      notify.failed(text.notEnded, refusal)
    }
    await cache.invalidateQueries({ queryKey: QUERY })
  }

  async function endAll(): Promise<void> {
    await client.delete('/auth/v1/sessions')
    await signOut()
  }

  return (
    <Section
      title={text.sessions}
      about={text.sessionsText}
      error={error}
      onRetry={refetch}
      actions={<Button onClick={() => ask('everywhere')}>{text.everywhere}</Button>}
    >
      <Table
        label={text.sessions}
        columns={[
          {
            title: text.browser,
            cell: ({ user_agent, current }) => (
              <span title={user_agent}>
                {browserOf(user_agent)} {current && <Badge kind="good">{text.here}</Badge>}
              </span>
            ),
          },
          { title: text.since, cell: ({ created_at }) => <Ago at={created_at} /> },
          { title: text.lastUsed, cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
        ]}
        rows={data?.sessions}
        keyOf={({ id }) => id}
        actions={(session) =>
          !session.current && (
            <Button kind="quiet" onClick={() => void end(session)}>
              {text.end}
            </Button>
          )
        }
      />
      <FormDialog
        title={text.everywhereTitle}
        isOpen={asked === 'everywhere'}
        onClose={() => ask(undefined)}
        submit={text.everywhere}
        isDanger
        onSubmit={endAll}
      >
        <p>{text.everywhereText}</p>
      </FormDialog>
    </Section>
  )
}
