import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { isStatus, messageOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { signIn } from '../../session/session.ts'
import { words } from '../../words.ts'
import styles from './sign-in.module.css'

export function SignInPage() {
  const navigate = useNavigate()
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(String(form.get('email')), String(form.get('password')))
      await navigate({ href: next, replace: true })
    } catch (error) {
      setProblem(isStatus(error, 401) ? words.signIn.refused : messageOf(error))
      setBusy(false)
    }
  }

  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit}>
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <h1>{words.signIn.title}</h1>
        <Field label={words.signIn.email} name="email" type="email" autoComplete="username" required />
        <Field
          label={words.signIn.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={problem}
        />
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {isBusy ? words.signIn.working : words.signIn.submit}
        </Button>
      </form>
    </main>
  )
}
