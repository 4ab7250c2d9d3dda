import { testThatPlays } from '../support/videos/plays.ts'

testThatPlays([
  'mp4-h264-aac',
  'mp4-h264-open-gop',
  'mkv-vfr',
  'mp4-hevc-hdr10',
  'rotated',
  'no-audio',
  'several-audio-tracks',
])
