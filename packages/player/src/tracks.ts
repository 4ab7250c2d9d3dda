import { appendElement } from './append-element.ts'
import type { Chapter } from './player.ts'

export function subtitlesOf(video: HTMLVideoElement): TextTrack[] {
  return [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions')
}

/** Shows one and no other; hls.js loads what is shown. */
export function chooseSubtitle(video: HTMLVideoElement, chosen: number): void {
  for (const [i, track] of subtitlesOf(video).entries()) track.mode = i === chosen ? 'showing' : 'disabled'
}

/** As a text track, which is where controls look for them. Browsers let no such track go, so it is used again. */
export function setChapters(video: HTMLVideoElement, chapters: Chapter[]): void {
  const old = [...video.textTracks].find(({ kind }) => kind === 'chapters')
  if (!old && chapters.length === 0) return
  const track = old ?? video.addTextTrack('chapters')
  track.mode = 'hidden'
  for (const cue of [...(track.cues ?? [])]) track.removeCue(cue)
  for (const { start, end, title } of chapters) track.addCue(new VTTCue(start, end, title))
  if (old) video.textTracks.dispatchEvent(new Event('change'))
}

export function setStoryboard(video: HTMLVideoElement, address?: string): void {
  video.querySelector('track')?.remove()
  if (address)
    appendElement(video, 'track', { kind: 'metadata', label: 'thumbnails', default: true, src: address })
}
