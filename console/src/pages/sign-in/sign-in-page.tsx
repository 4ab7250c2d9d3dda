import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isStatus, messageOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useFragment } from '../../session/fragment.ts'
import { signInOptionsQuery } from '../../session/queries.ts'
import { signIn, signInByLink } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Entry } from './entry.tsx'
import styles from './sign-in.module.css'

const text = words.signIn

export function SignInPage() {
  const link = useFragment('link')
  const [spent, setSpent] = useState<string>()
  if (link && link !== spent) return <ByLink link={link} onFailed={() => setSpent(link)} />
  return <ByPassword isLinkSpent={!!link} />
}

/** A link signs in once: it is sent without being asked, and never again. */
function ByLink({ link, onFailed }: { link: string; onFailed: () => void }) {
  const navigate = useNavigate()
  const sent = useRef('')
  useEffect(() => {
    if (sent.current === link) return
    sent.current = link
    signInByLink(link).then(() => navigate({ to: '/', replace: true }), onFailed)
  }, [link, navigate, onFailed])
  return (
    <Entry title={text.title}>
      <p role="status">{text.working}</p>
      <Skeleton height={120} />
    </Entry>
  )
}

function ByPassword({ isLinkSpent }: { isLinkSpent: boolean }) {
  const navigate = useNavigate()
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const { data: options } = useQuery(signInOptionsQuery())
  const refusal = useFragment('error')
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
      setProblem(isStatus(error, 401) ? text.refused : messageOf(error))
      setBusy(false)
    }
  }

  const said = isLinkSpent ? text.linkSpent : refusal && (REFUSALS[refusal] ?? text.openIdRefused)
  return (
    <Entry title={text.title}>
      {said && <p role="alert">{said}</p>}
      {options?.ever_signed_in === false && !said && <p className={styles.soft}>{text.firstTime}</p>}
      <form className={styles.form} onSubmit={submit}>
        <Field label={text.email} name="email" type="email" autoComplete="username" required />
        <Field
          label={text.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={problem}
        />
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {isBusy ? text.working : text.submit}
        </Button>
        <Link to="/reset">{text.forgot}</Link>
      </form>
      {options && options.openid.length > 0 && (
        <div className={styles.issuers}>
          {options.openid.map(({ id, name }) => (
            <a key={id} href={`/auth/v1/browser/openid/${encodeURIComponent(id)}`}>
              {text.with(name)}
            </a>
          ))}
        </div>
      )}
    </Entry>
  )
}

const REFUSALS: Record<string, string> = {
  openid_expired: text.openIdExpired,
  openid_refused: text.openIdRefused,
  openid_unknown: text.openIdUnknown,
  openid_unavailable: text.openIdUnavailable,
}
