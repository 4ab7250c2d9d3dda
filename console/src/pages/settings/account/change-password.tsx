import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { messageOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { useAsked } from '../use-asked.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './account.module.css'

const text = words.settings.account

export function ChangePassword({ email }: { email: string }) {
  const { client } = useOrganization()
  const cache = useQueryClient()
  const notify = useNotify()
  const [asked, ask] = useAsked()
  const current = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (asked !== 'password') return
    current.current?.focus()
    ask(undefined)
  }, [asked, ask])
  const change = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const given = new FormData(form)
      return client.put('/auth/v1/users/current/password', {
        body: {
          current_password: String(given.get('current')),
          new_password: String(given.get('new')),
        },
      })
    },
    onSuccess: (_, form) => {
      form.reset()
      notify.done(text.passwordChanged)
      return cache.invalidateQueries({ queryKey: ['sessions'] })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    change.mutate(event.currentTarget)
  }

  const isWrong = change.error !== null && /^current_password/.test(messageOf(change.error))
  return (
    <form className={styles.password} onSubmit={submit}>
      <h3>{text.password}</h3>
      {/* Programs that keep passwords learn whose it is. */}
      <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
      <Field
        ref={current}
        label={text.current}
        name="current"
        type="password"
        autoComplete="current-password"
        error={isWrong ? text.wrong : undefined}
        maxLength={1000}
        required
      />
      <Field
        label={text.new}
        name="new"
        type="password"
        autoComplete="new-password"
        hint={text.newHint}
        minLength={10}
        maxLength={1000}
        required
      />
      <Problem error={!isWrong && change.error} />
      <Button type="submit" isBusy={change.isPending}>
        {text.change}
      </Button>
    </form>
  )
}
