import { aac, h264, hevc, type Picture, picture, type Recipe, type Sound, sound } from './recipes.ts'

const plain = (
  extension: string,
  codecs: string[],
  { video = {}, audio = {} }: { video?: Picture; audio?: Sound } = {},
): Recipe => ({ extension, args: () => [...picture(video), ...sound(audio), ...codecs] })

const usual = [...h264(), ...aac]
const BFRAMES = 'keyint=50:min-keyint=50:scenecut=0:bframes=3:b-adapt=0'
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1500k']
const opus = ['-c:a', 'libopus', '-b:a', '128k']
const mp3 = ['-c:a', 'libmp3lame', '-b:a', '192k']
const wide = (transfer: string) => [
  ...['-pix_fmt', 'yuv420p10le', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
  ...['-color_trc', transfer],
]
const MASTERING = 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)'

/** Containers and codecs. */
export const FORMATS = {
  // Closed groups of two seconds, which a service may pass on as they are.
  'mp4-h264-aac': plain('mp4', [...h264(BFRAMES), ...aac], {
    video: { size: '1280x720', seconds: 6 },
    audio: { seconds: 6 },
  }),
  'mp4-h264-open-gop': plain('mp4', [...h264(`${BFRAMES}:open-gop=1`), ...aac]),
  'mp4-h264-long-gop': plain('mp4', [...h264('keyint=infinite:scenecut=0'), ...aac], {
    video: { seconds: 16 },
    audio: { seconds: 16 },
  }),
  'mp4-bframes': plain('mp4', [...h264(BFRAMES), ...aac]),
  'mp4-fragmented': plain('mp4', [...usual, '-movflags', 'frag_keyframe+empty_moov+default_base_moof']),
  'mov-h264': plain('mov', usual),
  'mov-prores': plain('mov', ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le']),
  'mkv-h264': plain('mkv', usual),
  'webm-vp9-opus': plain('webm', [...vp9, ...opus]),
  'webm-vp8-vorbis': plain('webm', [
    ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1500k'],
    ...['-c:a', 'libvorbis', '-b:a', '128k'],
  ]),
  'avi-mpeg4-mp3': plain('avi', ['-c:v', 'mpeg4', '-q:v', '3', ...mp3]),
  'avi-h264': plain('avi', [...h264(), ...mp3]),
  'mp4-hevc': plain('mp4', [...hevc(), '-pix_fmt', 'yuv420p', ...aac]),
  'mp4-hevc-hdr10': plain('mp4', [
    ...[...hevc(`keyint=50:hdr10=1:repeat-headers=1:${MASTERING}:max-cll=1000,400`), ...wide('smpte2084')],
    ...aac,
  ]),
  'mp4-hevc-hlg': plain('mp4', [...hevc(), ...wide('arib-std-b67'), ...aac]),
  'mp4-h264-10bit': plain('mp4', [...usual, '-pix_fmt', 'yuv420p10le']),
  'mp4-444': plain('mp4', [...usual, '-pix_fmt', 'yuv444p']),
} satisfies Record<string, Recipe>

/** Shapes of the picture, and how fast it moves. */
export const PICTURES = {
  // H.264 with halved chroma knows even sizes only.
  'odd-size': plain('webm', [...vp9, ...opus], {
    video: { size: '334x188', filters: 'scale=333:187,setsar=1' },
  }),
  portrait: plain('mp4', usual, { video: { size: '360x640' } }),
  // Given by a display matrix, which ffmpeg writes only where it copies.
  rotated: {
    extension: 'mp4',
    args: async ({ other }) => [
      ...['-i', await other('mp4-bframes'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90'],
    ],
  },
  'non-square': plain('mp4', usual, { video: { size: '360x240', filters: 'setsar=32/27' } }),
  tiny: plain('mp4', usual, { video: { size: '16x16' } }),
  interlaced: plain('mp4', [...h264(`${BFRAMES}:tff=1`), '-flags', '+ilme+ildct', ...aac], {
    video: { size: '720x576', rate: 50, filters: 'tinterlace=interleave_top,setfield=tff' },
  }),
  'full-range': plain('mp4', [...usual, '-pix_fmt', 'yuvj420p']),
  'sixty-fps': plain('mp4', usual, { video: { rate: 60 } }),
  ntsc: plain('mp4', usual, { video: { rate: '30000/1001' } }),
  // Times that follow no beat, and half a second where a camera lost its frames.
  'mkv-vfr': plain('mkv', [...usual, '-vsync', 'passthrough', '-enc_time_base', '1:1000'], {
    video: { filters: "select='not(between(n,40,52))',settb=1/1000,setpts='PTS+13*sin(N*N)'" },
  }),
} satisfies Record<string, Recipe>
