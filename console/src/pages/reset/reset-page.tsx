import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { isStatus } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { useFragment } from '../../session/fragment.ts'
import { signInOptionsQuery } from '../../session/queries.ts'
import { open } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Entry } from '../sign-in/entry.tsx'
import styles from '../sign-in/sign-in.module.css'

const text = words.reset

/** Asks for a link by which a new password is set; opened by that link, sets it. */
export function ResetPage() {
  const token = useFragment('token')
  return token ? <NewPassword key={token} token={token} /> : <AskForLink />
}

function AskForLink() {
  const { data: options } = useQuery(signInOptionsQuery())
  const ask = useMutation({
    mutationFn: (email: string) => open.post('/auth/v1/password-reset', { body: { email } }),
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    ask.mutate(String(new FormData(event.currentTarget).get('email')))
  }

  if (options?.mail === false)
    return (
      <Entry title={text.title}>
        <p>{text.noMail}</p>
        <code>marquee users reset-link --email …</code>
        <Link to="/sign-in">{text.back}</Link>
      </Entry>
    )
  if (ask.isSuccess)
    return (
      <Entry title={text.title}>
        <p role="status">{text.sent}</p>
        <Link to="/sign-in">{text.back}</Link>
      </Entry>
    )
  return (
    <Entry title={text.title}>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label={words.signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          hint={text.askHint}
          required
        />
        <Problem error={ask.error} />
        <Button type="submit" kind="primary" isBusy={ask.isPending}>
          {text.ask}
        </Button>
        <Link to="/sign-in">{text.back}</Link>
      </form>
    </Entry>
  )
}

function NewPassword({ token }: { token: string }) {
  const set = useMutation({
    mutationFn: (password: string) =>
      open.post('/auth/v1/password-reset/complete', { body: { token, password } }),
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    set.mutate(String(new FormData(event.currentTarget).get('password')))
  }

  if (set.isSuccess)
    return (
      <Entry title={text.title}>
        <p role="status">{text.done}</p>
        <Link to="/sign-in">{words.signIn.title}</Link>
      </Entry>
    )
  if (isStatus(set.error, 401))
    return (
      <Entry title={text.title}>
        <p role="alert">{text.spent}</p>
        <Link to="/reset" reloadDocument>
          {text.askAgain}
        </Link>
      </Entry>
    )
  return (
    <Entry title={text.title}>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label={text.password}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={text.passwordHint}
          minLength={10}
          maxLength={1000}
          required
        />
        <Problem error={set.error} />
        <Button type="submit" kind="primary" isBusy={set.isPending}>
          {text.set}
        </Button>
      </form>
    </Entry>
  )
}
