import { Empty } from '../../components/empty.tsx'
import { words } from '../../words.ts'

export function NoProjectPage() {
  return (
    <main>
      <Empty title={words.product}>
        <p>{words.signIn.noProject}</p>
      </Empty>
    </main>
  )
}
