import { Page } from '../../components/page.tsx'
import { words } from '../../words.ts'

export function FeedPage() {
  return <Page title={words.nav.feeds}>{null}</Page>
}
