import { testThatPlays } from '../support/videos/plays.ts'

testThatPlays(['mp4-h264-aac', 'mkv-vfr', 'mp4-hevc-hdr10', 'several-audio-tracks'])
