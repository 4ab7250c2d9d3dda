import { Page } from '../../components/page.tsx'
import { words } from '../../words.ts'

export function StartPage() {
  return <Page title={words.nav.start}>{null}</Page>
}
