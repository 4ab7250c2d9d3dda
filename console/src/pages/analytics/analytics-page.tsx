import { Page } from '../../components/page.tsx'
import { words } from '../../words.ts'

export function AnalyticsPage() {
  return <Page title={words.nav.analytics}>{null}</Page>
}
