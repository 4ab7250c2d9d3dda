import { Page } from '../../components/page.tsx'
import { words } from '../../words.ts'

export function FunnelsPage() {
  return <Page title={words.nav.analytics}>{null}</Page>
}
