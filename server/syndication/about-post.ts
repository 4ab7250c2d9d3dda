import type { Post } from '../feeds/index.ts'

/** Of a title; longer ones are cut between words. */
const TITLE_LENGTH = 100

/** What a post is called: the first line of its description, or else the name of its file. */
export function titleOf({ description, video, image }: Post): string {
  const line = description
    .split('\n')
    .map((text) => text.trim())
    .find((text) => text !== '')
  if (line) return cut(line)
  const name = (video ?? image)?.file.name.replace(/\.\w{1,5}$/, '')
  return name ? cut(name) : 'Untitled'
}

function cut(line: string): string {
  if (line.length <= TITLE_LENGTH) return line
  const words = line.slice(0, TITLE_LENGTH)
  return `${words.slice(0, Math.max(words.lastIndexOf(' '), TITLE_LENGTH / 2)).trimEnd()}…`
}

export interface SharedPicture {
  url: string
  width: number
  height: number
}

/** Signs an address of a size, where that is needed. */
export type SizeUrl = (url: string) => string

/** Whether what a post shows takes a token to be seen. */
export function isPrivate({ video, image }: Post): boolean {
  return (video ?? image)?.visibility === 'private'
}

/** Whether it is for lists that everybody reads. */
export function isListed({ video, image }: Post): boolean {
  return (video ?? image)?.visibility !== 'unlisted'
}

/**
 * The picture of a post, or the poster of its video, no larger than this, in a format that everything reads. None where it
 * is private, and there is no token for it.
 */
export function pictureOf(
  post: Post,
  largest: { width: number; height: number },
  { sizeUrl, token }: { sizeUrl: SizeUrl; token?: string },
): SharedPicture | undefined {
  if (isPrivate(post) && !token) return undefined
  const { file, width, height } = (post.video?.poster ?? post.image)!
  const size = fitInto({ width, height }, largest)
  const shown = isPrivate(post) ? `&token=${encodeURIComponent(token!)}` : ''
  return { url: `${sizeUrl(`${file.url}?w=${size.width}&h=${size.height}&format=jpg`)}${shown}`, ...size }
}

/** As large as can be in the same proportion, and no larger than it is. */
export function fitInto(
  { width, height }: { width: number; height: number },
  largest: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, largest.width / width, largest.height / height)
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}
