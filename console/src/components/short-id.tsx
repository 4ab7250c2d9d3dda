import { shortId } from '../format.ts'
import { CopyButton } from './copy-button.tsx'

/** An id as short as people can tell it by, and the whole to copy. */
export function ShortId({ id }: { id: string }) {
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={id}>
      <code>{shortId(id)}</code> <CopyButton text={id} />
    </span>
  )
}
