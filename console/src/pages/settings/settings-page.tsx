import { Page } from '../../components/page.tsx'
import { words } from '../../words.ts'

export function SettingsPage() {
  return <Page title={words.nav.settings}>{null}</Page>
}
