import { useSuspenseQuery } from '@tanstack/react-query'
import { Section } from '../../../components/section.tsx'
import { userQuery } from '../../../session/queries.ts'
import { words } from '../../../words.ts'
import { ChangePassword } from './change-password.tsx'
import { Sessions } from './sessions.tsx'

/** One's own account: the password, and where one is signed in. */
export function AccountSection() {
  const { data: user } = useSuspenseQuery(userQuery())
  return (
    <>
      <Section title={words.settings.sections.account} about={user.email}>
        <ChangePassword email={user.email} />
      </Section>
      <Sessions />
    </>
  )
}
