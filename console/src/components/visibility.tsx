import { words } from '../words.ts'
import type { MediaChanges } from './media-description.tsx'
import { Select } from './select.tsx'

export type Visibility = NonNullable<MediaChanges['visibility']>

const { visibilities, visibilityHints } = words.media
const CHOICES = Object.entries(visibilities)

/** Who may see a video or an image; changed at once, where it may be. */
export function VisibilitySelect({
  value = 'public',
  onChange,
}: {
  value: Visibility | undefined
  onChange: ((visibility: Visibility) => void) | undefined
}) {
  return (
    <Select
      label={words.media.visibility}
      hint={visibilityHints[value]}
      choices={CHOICES}
      value={value}
      disabled={!onChange}
      onChange={({ target }) => onChange?.(target.value as Visibility)}
    />
  )
}
