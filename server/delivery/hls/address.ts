import type { SubtitleId, TrackId } from '../../base/ids.ts'
import { isId } from '../../base/ids.ts'
import type { PreviewFormat } from '../../media/video/moving-preview.ts'

/** What can be asked for below a video's own address. */
export type HlsAddress =
  | { at: 'multivariant playlist' }
  | { at: 'storyboard' }
  | { at: 'whole sound' }
  | { at: 'download' }
  | { at: 'preview'; format: PreviewFormat }
  | { at: 'storyboard sheet'; number: number }
  | { at: 'subtitles'; id: SubtitleId }
  | { at: 'subtitle playlist'; id: SubtitleId }
  | { at: 'subtitle segment'; id: SubtitleId; number: number }
  | { at: 'track'; id: TrackId; format: string }
  | { at: 'rendition playlist'; rendition: string }
  | { at: 'init segment'; rendition: string }
  | { at: 'segment'; rendition: string; number: number }

/** Reads the part of an address after the video's own; undefined where nothing can be there. */
export function readHlsAddress(rest: string): HlsAddress | undefined {
  if (rest === 'master.m3u8') return { at: 'multivariant playlist' }
  if (rest === 'storyboard.vtt') return { at: 'storyboard' }
  if (rest === 'audio.m4a') return { at: 'whole sound' }
  if (rest === 'download.mp4') return { at: 'download' }
  if (rest === 'preview.webp') return { at: 'preview', format: 'webp' }
  if (rest === 'preview.avif') return { at: 'preview', format: 'avif' }
  const folders = rest.split('/')
  const [file, ending, ...more] = folders.pop()!.split('.')
  if (ending === undefined || more.length > 0) return undefined
  if (![...folders, file!, ending].every((name) => NAME.test(name))) return undefined
  const [folder, id, ...deeper] = folders
  if (folder === undefined || deeper.length > 0) return undefined
  if (id !== undefined)
    return folder === 'subtitles' && isId('subtitle', id) ? belowSubtitles(id, file!, ending) : undefined
  if (folder === 'subtitles')
    return isId('subtitle', file!) && ending === 'vtt' ? { at: 'subtitles', id: file } : undefined
  if (folder === 'tracks') return isId('track', file!) ? { at: 'track', id: file, format: ending } : undefined
  if (folder === 'storyboard')
    return ending === 'jpg' ? numbered({ at: 'storyboard sheet' }, file!) : undefined
  return inRendition(folder, file!, ending)
}

const NAME = /^[a-z0-9_]+$/

function belowSubtitles(id: SubtitleId, file: string, ending: string): HlsAddress | undefined {
  if (file === 'index' && ending === 'm3u8') return { at: 'subtitle playlist', id }
  return ending === 'vtt' ? numbered({ at: 'subtitle segment', id }, file) : undefined
}

function inRendition(rendition: string, file: string, ending: string): HlsAddress | undefined {
  if (file === 'index' && ending === 'm3u8') return { at: 'rendition playlist', rendition }
  if (file === 'init' && ending === 'mp4') return { at: 'init segment', rendition }
  return ending === 'm4s' ? numbered({ at: 'segment', rendition }, file) : undefined
}

/** Numbers have one way of being written: caches in front know each by one address. */
function numbered<T extends object>(address: T, text: string): (T & { number: number }) | undefined {
  return /^(0|[1-9]\d{0,6})$/.test(text) ? { ...address, number: Number(text) } : undefined
}
