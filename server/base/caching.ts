/** Cache-Control by kind of answer. */
export const CACHING = {
  /** Answers of the API about what belongs to a caller, events as they happen, and every refusal. */
  none: 'no-store',
  /** Answers that are kept by version: others may keep a copy, but ask whether it still holds. */
  publicCopy: 'public, no-cache',
  privateCopy: 'private, no-cache',
  /** An image's address may come to serve a smaller encoding of the same picture, or nothing: fresh for an hour, then a 304. */
  image: 'public, max-age=3600, stale-while-revalidate=86400',
  /** The poster may be another the next moment, at the same address: asked about each time, at the cost of a 304. */
  poster: 'private, no-cache',
  /** A picture at a time of a video stays what it is. */
  pictureAtTime: 'private, max-age=3600',
  /** What a set of subtitles or tracks changes: asked about every time, at the cost of a 304. */
  changingPlaylist: 'public, no-cache',
  /** Segments, their playlists, tracks and storyboards stay what they are. */
  segment: 'public, max-age=86400',
  /** What a site is told to embed. */
  oembed: 'public, max-age=300, stale-while-revalidate=3600',
  /** A version of a package never changes. */
  version: 'public, max-age=31536000, immutable',
  /** What is the current version of a package changes with the service. */
  currentVersion: 'public, max-age=300, stale-while-revalidate=86400',
} as const
