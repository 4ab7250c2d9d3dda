import type { ComponentProps } from 'react'
import { opened, useMediaToken } from './use-opened.ts'

interface MediaImageProps extends Omit<ComponentProps<'img'>, 'src' | 'alt'> {
  src: string
  alt: string
  /** Of what it shows. */
  visibility: string | undefined
}

/** A picture of media: of what is private once there is a token for it. */
export function MediaImage({ visibility, src, alt, ...rest }: MediaImageProps) {
  if (visibility !== 'private') return <img src={opened(src, undefined)} alt={alt} {...rest} />
  return <PrivateImage src={src} alt={alt} {...rest} />
}

function PrivateImage({ src, alt, ...rest }: Omit<MediaImageProps, 'visibility'>) {
  const token = useMediaToken('private')
  return token ? <img src={opened(src, token)} alt={alt} {...rest} /> : null
}
