import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import { messageOf } from '../../api.ts'
import { RequestId } from '../../components/request-id.tsx'
import { formatBytes, formatShare } from '../../format.ts'
import { words } from '../../words.ts'
import styles from './preview.module.css'
import { variantQuery } from './variant.ts'

/** The picture that an address answers, as it came, with what it is and weighs. */
export function Preview({ image, address }: { image: Schemas['Image']; address: string | undefined }) {
  const { data: variant, error } = useQuery({
    ...variantQuery(address ?? ''),
    enabled: address !== undefined,
    // The one before stays until the next is there.
    placeholderData: (before) => before,
  })
  const shown = useObjectUrl(variant?.picture)
  const { width, height, thumbhash, file } = image
  return (
    <figure className={styles.preview}>
      <div
        className={styles.frame}
        style={{
          aspectRatio: `${width} / ${height}`,
          ...(!shown && { backgroundImage: `url(${placeholderOf(thumbhash)})` }),
        }}
      >
        {shown && variant && (
          <img
            src={shown}
            alt={image.description ?? file.name}
            width={variant.width}
            height={variant.height}
          />
        )}
      </div>
      <figcaption className={styles.caption}>
        {error ? (
          <>
            <span className={styles.failed}>{messageOf(error)}</span>
            <RequestId error={error} />
          </>
        ) : (
          variant && (
            <>
              <b>{words.media.pixels(variant.width, variant.height)}</b>
              <span>{variant.type}</span>
              <span>{formatBytes(variant.bytes)}</span>
              {variant.bytes !== file.size && (
                <span>{words.image.ofWhole(formatShare(variant.bytes / file.size))}</span>
              )}
            </>
          )
        )}
      </figcaption>
    </figure>
  )
}

function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!content) return
    const made = URL.createObjectURL(content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return url
}

const placeholderOf = (thumbhash: string): string =>
  thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0)))
