import { Page } from '../../components/page.tsx'
import { words } from '../../words.ts'

export function ImagePage() {
  return <Page title={words.nav.library}>{null}</Page>
}
