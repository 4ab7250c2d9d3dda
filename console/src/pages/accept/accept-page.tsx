import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { isStatus, queries } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatTime } from '../../format.ts'
import { useFragment } from '../../session/fragment.ts'
import { acceptInvitation, open } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Entry } from '../sign-in/entry.tsx'
import styles from '../sign-in/sign-in.module.css'

const text = words.accept

/** What somebody is invited to, and a password to accept it with. */
export function AcceptPage() {
  const token = useFragment('token')
  if (token) return <Invitation key={token} token={token} />
  return (
    <Entry title={text.title}>
      <p>{text.noToken}</p>
      <Link to="/sign-in">{words.signIn.title}</Link>
    </Entry>
  )
}

function Invitation({ token }: { token: string }) {
  const navigate = useNavigate()
  const { data: invitation, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      open.post('/auth/v1/browser/invitation', { body: { token }, signal, isRepeatable: true }),
  })
  const accept = useMutation({
    mutationFn: (password: string) => acceptInvitation(token, password),
    onSuccess: async () => {
      // Whoever was signed in here before is not any more.
      queries.clear()
      await navigate({ to: '/', replace: true })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    accept.mutate(String(new FormData(event.currentTarget).get('password')))
  }

  if (isStatus(error, 401) || isStatus(error, 404))
    return (
      <Entry title={text.title}>
        <p role="alert">{text.spent}</p>
        <Link to="/sign-in">{words.signIn.title}</Link>
      </Entry>
    )
  if (error)
    return (
      <Entry title={text.title}>
        <Failure error={error} />
      </Entry>
    )
  return (
    <Entry title={invitation ? text.titleOf(invitation.organization) : text.title}>
      {invitation ? (
        <p className={styles.soft}>
          {text.as(text.roles[invitation.role], invitation.email)}{' '}
          {text.until(formatTime(invitation.expires_at))}
        </p>
      ) : (
        <Skeleton height={42} />
      )}
      <form className={styles.form} onSubmit={submit}>
        {/* Programs that keep passwords learn whose it is. */}
        <input
          type="email"
          name="email"
          value={invitation?.email ?? ''}
          autoComplete="username"
          readOnly
          hidden
        />
        <Field
          label={words.signIn.password}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={text.passwordHint}
          maxLength={1000}
          required
        />
        <Problem error={accept.error} />
        <Button type="submit" kind="primary" isBusy={accept.isPending} disabled={!invitation}>
          {text.submit}
        </Button>
      </form>
    </Entry>
  )
}
