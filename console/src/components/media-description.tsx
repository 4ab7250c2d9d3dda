import { words } from '../words.ts'
import { Editable } from './editable.tsx'
import styles from './media-description.module.css'

/** What a video or an image shows, in words; edited in place where it may be. */
export function MediaDescription({
  text,
  onSave,
}: {
  text: string
  onSave: ((text: string) => void) | undefined
}) {
  if (!onSave) return text && <p className={styles.description}>{text}</p>
  return (
    <Editable
      label={words.media.description}
      placeholder={words.media.addDescription}
      value={text}
      maxLength={5000}
      onSave={onSave}
    />
  )
}

export interface MediaChanges {
  name?: string
  description?: string
  visibility?: 'public' | 'unlisted' | 'private'
}

/** As it is once the service has taken what is new of it. */
export function withChanges<Media extends { file: { name: string } }>(
  media: Media,
  { name, description, visibility }: MediaChanges,
): Media {
  return {
    ...media,
    ...(name !== undefined && { file: { ...media.file, name } }),
    ...(description !== undefined && { description }),
    ...(visibility !== undefined && { visibility }),
  }
}
