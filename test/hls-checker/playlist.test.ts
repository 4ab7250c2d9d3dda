import { describe, expect, test } from 'vitest'
import { parseMedia, parseMultivariant } from '../support/hls/playlist.ts'

const MULTIVARIANT = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
# a remark
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",LANGUAGE="en",NAME="English",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/en.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",LANGUAGE="fra",NAME="Français",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="a/fr.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",LANGUAGE="en",NAME="English",AUTOSELECT=YES,FORCED=NO,URI="s/en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=4000000,AVERAGE-BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="sound",SUBTITLES="text"
v720/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1000000,AVERAGE-BANDWIDTH=800000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,AUDIO="sound",SUBTITLES="text"
v360/index.m3u8
`

const MEDIA = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:6
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="init.mp4"
#EXTINF:6.006,
0.m4s
#EXTINF:2.002,
1.m4s
#EXT-X-ENDLIST
`

test('a sound multivariant playlist is read whole', () => {
  const { variants, renditions, problems, independentSegments } = parseMultivariant(MULTIVARIANT)
  expect(problems).toEqual([])
  expect(independentSegments).toBe(true)
  expect(variants).toHaveLength(2)
  expect(variants[0]).toEqual({
    uri: 'v720/index.m3u8',
    bandwidth: 4_000_000,
    averageBandwidth: 3_000_000,
    codecs: ['avc1.64001f', 'mp4a.40.2'],
    width: 1280,
    height: 720,
    frameRate: 29.97,
    audio: 'sound',
    subtitles: 'text',
  })
  expect(renditions.map(({ type, name, isDefault, uri }) => [type, name, isDefault, uri])).toEqual([
    ['AUDIO', 'English', true, 'a/en.m3u8'],
    ['AUDIO', 'Français', false, 'a/fr.m3u8'],
    ['SUBTITLES', 'English', false, 's/en.m3u8'],
  ])
})

test('a sound media playlist is read whole', () => {
  const { segments, problems, map, targetDuration } = parseMedia(MEDIA.replaceAll('\n', '\r\n'))
  expect(problems).toEqual([])
  expect({ map, targetDuration }).toEqual({ map: 'init.mp4', targetDuration: 6 })
  expect(segments).toEqual([
    { uri: '0.m4s', duration: 6.006, start: 0 },
    { uri: '1.m4s', duration: 2.002, start: 6.006 },
  ])
})

type Damage = [what: string, from: string | RegExp, to: string, complaint: RegExp]

const both: Damage[] = [
  ['another first line', '#EXTM3U', '#EXTM3U8', /first line/],
  ['a byte order mark', /^/, '\ufeff', /byte order mark/],
  ['a control character', '#EXT-X-VERSION', '#\u0007\n#EXT-X-VERSION', /control characters/],
  ['a version twice', '#EXT-X-VERSION:7', '#EXT-X-VERSION:7\n#EXT-X-VERSION:7', /VERSION appears twice/],
  ['a tag of its own', '#EXT-X-VERSION', '#EXT-X-NONSENSE\n#EXT-X-VERSION', /NONSENSE has no place/],
  ['a tag with a space before it', '#EXT-X-VERSION', ' #EXT-X-VERSION', /white space/],
]

describe('what is wrong with a multivariant playlist is told:', () => {
  test.each<Damage>([
    ...both,
    ['a tag of media playlists', '#EXT-X-MEDIA:', '#EXT-X-ENDLIST\n#EXT-X-MEDIA:', /ENDLIST has no place/],
    ['no BANDWIDTH', 'BANDWIDTH=4000000,', '', /BANDWIDTH is missing/],
    ['no AVERAGE-BANDWIDTH', 'AVERAGE-BANDWIDTH=3000000,', '', /AVERAGE-BANDWIDTH is missing/],
    ['an average above the peak', '=3000000', '=5000000', /more than BANDWIDTH/],
    ['no CODECS', 'CODECS="avc1.64001f,mp4a.40.2",', '', /CODECS is missing/],
    ['CODECS without quotes', 'CODECS="avc1.64001f,mp4a.40.2"', 'CODECS=avc1.64001f', /CODECS=.* "quoted"/],
    ['a number in quotes', 'BANDWIDTH=4000000', 'BANDWIDTH="4000000"', /"integer"/],
    ['no RESOLUTION', 'RESOLUTION=1280x720,', '', /RESOLUTION is missing/],
    ['a malformed RESOLUTION', '1280x720', '1280*720', /"resolution"/],
    ['no FRAME-RATE', 'FRAME-RATE=29.970,', '', /FRAME-RATE is missing/],
    ['a FRAME-RATE too exact', '29.970', '29.97003', /three decimals/],
    ['a space in a list', ',RESOLUTION', ', RESOLUTION', /malformed/],
    ['an attribute twice', ',RESOLUTION', ',BANDWIDTH=1,RESOLUTION', /BANDWIDTH appears twice/],
    ['an unknown attribute', ',RESOLUTION', ',COLOUR=1,RESOLUTION', /COLOUR is no attribute/],
    ['a group that is not there', 'AUDIO="sound",SUB', 'AUDIO="music",SUB', /no AUDIO group "music"/],
    ['a variant without sound', 'AUDIO="sound",SUB', 'SUB', /names no AUDIO group/],
    ['two defaults', 'DEFAULT=NO', 'DEFAULT=YES', /more than one rendition has DEFAULT/],
    [
      'a default not selected',
      'DEFAULT=YES,AUTOSELECT=YES',
      'DEFAULT=YES,AUTOSELECT=NO',
      /without AUTOSELECT/,
    ],
    ['a name twice', 'Français', 'English', /two renditions of one name/],
    ['no name', 'NAME="Français",', '', /NAME is missing/],
    ['no channels', 'CHANNELS="2",', '', /CHANNELS is missing/],
    ['neither yes nor no', 'DEFAULT=NO', 'DEFAULT=no', /"answer"/],
    ['no language', 'LANGUAGE="fra"', 'LANGUAGE="french language"', /no language tag/],
    ['forced sound', 'DEFAULT=NO', 'DEFAULT=NO,FORCED=YES', /FORCED is for subtitles/],
    ['no URI', 'v720/index.m3u8\n', '', /no URI follows/],
    ['a URI of nothing', /$/, 'v1080/index.m3u8\n', /nothing describes/],
    [
      'groups that differ',
      '#EXT-X-MEDIA:TYPE=SUB',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="Deutsch",CHANNELS="2",URI="x"\n#EXT-X-MEDIA:TYPE=SUB',
      /different renditions/,
    ],
  ])('%s', (_, from, to, complaint) => {
    expect(parseMultivariant(MULTIVARIANT.replace(from, to)).problems.join('\n')).toMatch(complaint)
  })
})

describe('what is wrong with a media playlist is told:', () => {
  test.each<Damage>([
    ...both,
    ['a tag of multivariant playlists', '#EXTINF', '#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXTINF', /has no place/],
    ['no end', '#EXT-X-ENDLIST\n', '', /ENDLIST is missing/],
    ['another type', ':VOD', ':EVENT', /not of the type VOD/],
    ['no target duration', '#EXT-X-TARGETDURATION:6\n', '', /target duration of NaN/],
    ['a target duration too small', 'DURATION:6', 'DURATION:5', /target duration of 5 for a segment of 6/],
    ['a target duration with decimals', 'DURATION:6', 'DURATION:6.0', /no whole number/],
    ['a version too low', 'VERSION:7', 'VERSION:5', /version 5, where 6 is needed/],
    ['no version', '#EXT-X-VERSION:7\n', '', /version 1/],
    ['no media sequence', '#EXT-X-MEDIA-SEQUENCE:0\n', '', /MEDIA-SEQUENCE is missing/],
    ['another first segment', 'SEQUENCE:0', 'SEQUENCE:3', /does not begin at 0/],
    ['a segment without length', '#EXTINF:2.002,\n', '', /without #EXTINF/],
    ['a length without a segment', '1.m4s\n', '', /no URI follows/],
    ['a length that is no number', '2.002,', 'two,', /malformed/],
    ['a length without a comma', '2.002,', '2.002', /malformed/],
    ['a map without address', 'URI="init.mp4"', 'BYTERANGE="1@0"', /URI is missing/],
    ['a map too late', /(#EXT-X-MAP.*\n)((?:.*\n)*0.m4s\n)/, '$2$1', /MAP comes after/],
  ])('%s', (_, from, to, complaint) => {
    expect(parseMedia(MEDIA.replace(from, to)).problems.join('\n')).toMatch(complaint)
  })
})
