import { audioEdges } from '../../media/video/make-audio.ts'
import type { PlaybackPlan } from '../../media/video/plan.ts'
import type { Rates } from '../../media/video/rates.ts'
import { CLOCK } from '../../media/video/timeline.ts'
import { type AudioChoice, edgesOf, uniquelyLabelled, type VideoChoice } from '../../transcoding/index.ts'

export interface SubtitleChoice {
  id: string
  language_code: string
  label: string
}

export interface Offer {
  plan: PlaybackPlan
  video: VideoChoice[]
  audio: AudioChoice[]
  subtitles: SubtitleChoice[]
  /** Of what is made already. */
  rates: Record<string, Rates>
}

const AUDIO_CODEC = 'mp4a.40.2'
const AUDIO_RATE = 192_000

/**
 * The playlist a player begins with. `base` leads from its own address to those of the renditions, and `query` is behind
 * each of them.
 */
export function multivariantPlaylist(
  { plan, video, audio, subtitles, rates }: Offer,
  base: string,
  query: string,
): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  for (const choice of audio)
    lines.push(
      media('AUDIO', {
        'GROUP-ID': quoted('audio'),
        NAME: quoted(choice.label),
        LANGUAGE: choice.language && quoted(choice.language),
        DEFAULT: choice.isDefault ? 'YES' : 'NO',
        AUTOSELECT: 'YES',
        CHANNELS: quoted(String(choice.channels)),
        URI: quoted(`${base}${choice.name}/index.m3u8${query}`),
      }),
    )
  for (const subtitle of uniquelyLabelled(subtitles))
    lines.push(
      media('SUBTITLES', {
        'GROUP-ID': quoted('subtitles'),
        NAME: quoted(subtitle.label),
        LANGUAGE: quoted(subtitle.language_code),
        DEFAULT: 'NO',
        AUTOSELECT: 'YES',
        FORCED: 'NO',
        URI: quoted(`${base}subtitles/${subtitle.id}/index.m3u8${query}`),
      }),
    )
  const sound = loudest(audio, rates)
  for (const { name, video: rung } of video) {
    const rate = rates[name] ?? rung.rates ?? expected(rung.maxRate)
    const attributes = {
      BANDWIDTH: rate.peak + sound.peak,
      'AVERAGE-BANDWIDTH': rate.average + sound.average,
      CODECS: quoted([rung.codec, ...(audio.length > 0 ? [AUDIO_CODEC] : [])].join(',')),
      RESOLUTION: `${rung.width}x${rung.height}`,
      'FRAME-RATE': plan.source.framesPerSecond.toFixed(3),
      AUDIO: audio.length > 0 ? quoted('audio') : undefined,
      SUBTITLES: subtitles.length > 0 ? quoted('subtitles') : undefined,
      'CLOSED-CAPTIONS': 'NONE',
    }
    lines.push(`#EXT-X-STREAM-INF:${list(attributes)}`, `${base}${name}/index.m3u8${query}`)
  }
  return `${lines.join('\n')}\n`
}

export function videoPlaylist(plan: PlaybackPlan, query: string): string {
  return mediaPlaylist(lengths(edgesOf(plan)), (i) => `${i}.m4s${query}`, `init.mp4${query}`)
}

export function audioPlaylist(plan: PlaybackPlan, choice: AudioChoice, query: string): string {
  return mediaPlaylist(
    lengths(audioEdges(edgesOf(plan), choice)),
    (i) => `${i}.m4s${query}`,
    `init.mp4${query}`,
  )
}

export function subtitlePlaylist(plan: PlaybackPlan, query: string): string {
  return mediaPlaylist(lengths(edgesOf(plan)), (i) => `${i}.vtt${query}`)
}

function lengths(edges: number[]): number[] {
  return edges.slice(1).map((edge, i) => (edge - edges[i]!) / CLOCK)
}

function mediaPlaylist(seconds: number[], uri: (number: number) => string, init?: string): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...seconds.map(Math.round))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(init ? [`#EXT-X-MAP:URI=${quoted(init)}`] : []),
    ...seconds.flatMap((length, i) => [`#EXTINF:${length.toFixed(6)},`, uri(i)]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}

/** What the encoder is held to, where it is not known yet what it took. */
function expected(maxRate: number): Rates {
  return { peak: Math.round(maxRate * 1.6), average: maxRate }
}

/** What a sound takes where it is not known yet; one that is copied may take more at times than it does on average. */
function soundRates(copied = 0): Rates {
  const rate = Math.max(AUDIO_RATE, Math.ceil(1.5 * copied))
  return { peak: rate, average: rate }
}

function loudest(audio: AudioChoice[], rates: Record<string, Rates>): Rates {
  const all = audio.map(({ name, copied }) => rates[name] ?? soundRates(copied?.bitrate))
  return {
    peak: Math.max(0, ...all.map((rate) => rate.peak)),
    average: Math.max(0, ...all.map((rate) => rate.average)),
  }
}

function media(type: string, attributes: Record<string, string | undefined>): string {
  return `#EXT-X-MEDIA:${list({ TYPE: type, ...attributes })}`
}

function list(attributes: Record<string, string | number | undefined>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}

/** A quoted string knows no escapes: what would end it is left out. */
function quoted(text: string): string {
  return `"${text.replace(/["\r\n\p{Cc}]/gu, ' ')}"`
}
