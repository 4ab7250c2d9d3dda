import { badRequest } from '../base/errors.ts'
import type { Feed } from './schemas.ts'

/** A feed may be for images only, or for videos only. */
export function requireKinds(feed: Feed, wanted: { image: boolean; video: boolean }): void {
  if (wanted.image && !feed.allow_images) throw badRequest('this feed does not allow images')
  if (wanted.video && !feed.allow_videos) throw badRequest('this feed does not allow videos')
}
