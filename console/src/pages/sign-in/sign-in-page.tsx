import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isStatus, messageOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { RequestId } from '../../components/request-id.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useFragment } from '../../session/fragment.ts'
import { signInOptionsQuery } from '../../session/queries.ts'
import { hasToken, onSession, sessionEnd, signIn, signInByLink } from '../../session/session.ts'
import { isUnderWay, useUploads } from '../../uploads/upload-store.ts'
import { words } from '../../words.ts'
import { Entry } from './entry.tsx'
import styles from './sign-in.module.css'

const text = words.signIn

export function SignInPage() {
  const link = useFragment('link')
  const [tried, setTried] = useState<{ link: string; error: unknown }>()
  if (!link) return <ByPassword />
  if (tried?.link === link) return <ByPassword failed={tried.error} />
  return <ByLink link={link} onFailed={(error) => setTried({ link, error })} />
}

/** A link signs in once: it is sent without being asked, and never again. */
function ByLink({ link, onFailed }: { link: string; onFailed: (error: unknown) => void }) {
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

/** `failed`: why somebody who came by a link is here. */
function ByPassword({ failed }: { failed?: unknown }) {
  const navigate = useNavigate()
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const { data: options } = useQuery(signInOptionsQuery())
  const refusal = useFragment('error')
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const held = useUploads().filter(isUnderWay).length

  // Here, or in another tab of this browser.
  useEffect(
    () =>
      onSession(() => {
        if (hasToken()) void navigate({ href: next, replace: true })
      }),
    [navigate, next],
  )

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(String(form.get('email')), String(form.get('password')))
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }

  const said =
    sayWhy(failed, text.linkSpent) ?? (refusal ? (REFUSALS[refusal] ?? text.openIdRefused) : endedBy(held))
  return (
    <Entry title={text.title}>
      {said && <p role="alert">{said}</p>}
      <RequestId error={failed} />
      {options?.ever_signed_in === false && !said && <p className={styles.soft}>{text.firstTime}</p>}
      <form className={styles.form} onSubmit={submit}>
        <Field label={text.email} name="email" type="email" autoComplete="username" required />
        <Field
          label={text.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={sayWhy(problem, text.refused)}
        />
        <RequestId error={problem} />
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

/** Where the way in itself is refused, that is said in words for people. */
function sayWhy(error: unknown, refused: string): string | undefined {
  if (!error) return undefined
  return isStatus(error, 401) ? refused : messageOf(error)
}

/** Why somebody who was signed in a moment ago has to do it again. */
function endedBy(held: number): string | undefined {
  const end = sessionEnd()
  if (!end || end === 'signed-out') return undefined
  return held > 0 ? `${text[end]} ${text.held(held)}` : text[end]
}

const REFUSALS: Record<string, string> = {
  openid_expired: text.openIdExpired,
  openid_refused: text.openIdRefused,
  openid_unknown: text.openIdUnknown,
  openid_unavailable: text.openIdUnavailable,
}
