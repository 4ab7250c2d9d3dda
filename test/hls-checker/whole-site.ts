import { type Encoded, encodeAudio, encodeVideo, playlist, put, type Site } from './site.ts'

/** A video in two sizes with sound and subtitles, and nothing wrong about it. */
export async function makeSite(source: string, folder: string): Promise<Site> {
  const [large, small, sound] = await Promise.all([
    encodeVideo(source, 360, folder),
    encodeVideo(source, 180, folder),
    encodeAudio(source, folder),
  ])
  const site: Site = new Map()
  put(site, 'file/v360', large)
  put(site, 'file/v180', small)
  put(site, 'file/audio', sound)
  site.set('file/text/0.vtt', 'WEBVTT\n\n00:01.000 --> 00:03.000\nHello\n')
  site.set('file/text/1.vtt', 'WEBVTT\n\n1\n00:00:04.500 --> 00:00:05.000 align:start\nand goodbye\n')
  const lines: [string, number][] = [
    ['0.vtt', 4],
    ['1.vtt', 2],
  ]
  site.set('file/text/index.m3u8', playlist(lines, false).replace('DURATION:2', 'DURATION:4'))
  site.set(
    'file',
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",LANGUAGE="en",NAME="English",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="file/audio/index.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",LANGUAGE="en",NAME="English",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="file/text/index.m3u8"
#EXT-X-STREAM-INF:${rates(large, sound)},CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="text"
file/v360/index.m3u8
#EXT-X-STREAM-INF:${rates(small, sound)},CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=320x180,FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="text"
file/v180/index.m3u8
`,
  )
  return site
}

/** Segments last about the target duration, so that each counts for itself. */
function rates(...tracks: Encoded[]): string {
  const peaks = tracks.map(({ segments }) =>
    Math.max(...segments.map(({ content, seconds }) => (content.length * 8) / seconds)),
  )
  const averages = tracks.map(({ segments }) => {
    const bytes = segments.reduce((sum, { content }) => sum + content.length, 0)
    return (bytes * 8) / segments.reduce((sum, { seconds }) => sum + seconds, 0)
  })
  const sum = (numbers: number[]) => Math.ceil(numbers.reduce((total, one) => total + one))
  return `BANDWIDTH=${sum(peaks)},AVERAGE-BANDWIDTH=${sum(averages)}`
}
