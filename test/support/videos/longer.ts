import { aac, h264, hevc, type Picture, picture, type Recipe, sound } from './recipes.ts'

const SECONDS = 16
const usual = [...h264(), ...aac]
const opus = ['-c:a', 'libopus', '-b:a', '128k']
const vpx = (codec: string) => [
  ...['-c:v', codec, '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1500k', '-g', '100'],
]
const av1 = ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '40', '-g', '100']
const wide = (transfer: string) => [
  ...['-pix_fmt', 'yuv420p10le', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
  ...['-color_trc', transfer],
]

const pictures = (more: Picture = {}) => picture({ size: '854x480', seconds: SECONDS, ...more })
const sounds = (seed = 7) => sound({ seconds: SECONDS, seed })
const film = (extension: string, codecs: string[], more: Picture = {}): Recipe => ({
  extension,
  args: () => [...pictures(more), ...sounds(), ...codecs],
})
const remade = (extension: string, of: string, args: string[]): Recipe => ({
  extension,
  args: async ({ other }) => ['-i', await other(of), '-c', 'copy', ...args],
})

/** Kinds of sources with two rungs and some segments of each, so that a player can seek to what it has not loaded. */
export const LONGER = {
  'h264-mp4': film('mp4', usual),
  'h264-mp4-fragmented': film('mp4', [...usual, '-movflags', 'frag_keyframe+empty_moov+default_base_moof']),
  'h264-mov': film('mov', usual),
  'h264-mkv': film('mkv', usual),
  'h264-avi': film('avi', [...h264(), '-c:a', 'libmp3lame']),
  'h264-10bit': film('mp4', [...usual, '-pix_fmt', 'yuv420p10le']),
  hevc: film('mp4', [...hevc(), '-pix_fmt', 'yuv420p', ...aac]),
  'hevc-hdr10': film('mp4', [
    ...[...hevc('keyint=50:hdr10=1:repeat-headers=1:max-cll=1000,400'), ...wide('smpte2084'), ...aac],
  ]),
  'hevc-hlg': film('mp4', [...hevc(), ...wide('arib-std-b67'), ...aac]),
  'vp9-webm': film('webm', [...vpx('libvpx-vp9'), ...opus]),
  'vp8-webm': film('webm', [...vpx('libvpx'), '-c:a', 'libvorbis']),
  'av1-mp4': film('mp4', [...av1, ...aac]),
  'av1-webm': film('webm', [...av1, ...opus]),
  'prores-mov': film('mov', ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le']),
  'mpeg4-avi': film('avi', ['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'libmp3lame']),
  // Of a container that is not taken; as one that somebody has changed and nothing else, it is.
  'mpeg-ts': remade('ts', 'h264-mp4', []),
  'mpeg-ts-in-mp4': remade('mp4', 'mpeg-ts', ['-copyts']),
  'variable-rate': film('mkv', [...usual, '-vsync', 'passthrough', '-enc_time_base', '1:1000'], {
    filters: "select='not(between(n,40,52))',settb=1/1000,setpts='PTS+13*sin(N*N)'",
  }),
  'sixty-fps': film('mp4', usual, { rate: 60 }),
  portrait: film('mp4', usual, { size: '480x854' }),
  rotated: remade('mp4', 'h264-mp4', ['-metadata:s:v:0', 'rotate=90']),
  silent: { extension: 'mp4', args: () => [...pictures(), ...h264()] },
  'two-sounds': {
    extension: 'mkv',
    args: () => [
      ...[...pictures(), ...sounds(1), ...sounds(2), '-map', '0', '-map', '1', '-map', '2', ...usual],
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'],
    ],
  },
  'sound-only': { extension: 'm4a', args: () => [...sounds(), ...aac] },
} satisfies Record<string, Recipe>
