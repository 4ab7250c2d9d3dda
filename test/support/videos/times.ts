import { aac, h264, picture, type Recipe, sound } from './recipes.ts'

const usual = [...h264(), ...aac]
const CHAPTERS = `;FFMETADATA1
${[0, 1500, 3000].map((start, i) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 1500}\ntitle=Part ${i + 1}\n`).join('')}`
const SUBTITLES = `1\n00:00:00,500 --> 00:00:01,500\nHello\n\n2\n00:00:02,000 --> 00:00:03,200\nand goodbye\n`

/** Where picture and sound begin and end, and how many of each there are. */
export const TIMES = {
  'one-frame': { extension: 'mp4', args: () => [...picture(), '-frames:v', '1', ...h264()] },
  'one-frame-long-audio': {
    extension: 'mp4',
    args: () => [...picture({ seconds: 0.04 }), ...sound({ seconds: 8 }), ...usual],
  },
  'no-audio': { extension: 'mp4', args: () => [...picture(), ...h264()] },
  'partial-audio': {
    extension: 'mp4',
    args: () => [...picture({ seconds: 6 }), '-itsoffset', '2', ...sound({ seconds: 2 }), ...usual],
  },
  'audio-longer': {
    extension: 'mp4',
    args: () => [...picture(), ...sound({ seconds: 7 }), ...usual],
  },
  'audio-before-video': {
    extension: 'mkv',
    args: () => ['-itsoffset', '0.7', ...picture(), ...sound({ seconds: 5 }), ...usual],
  },
  'five-one': {
    extension: 'mp4',
    args: () => [
      ...[
        ...picture(),
        ...sound({ filters: 'pan=5.1|FL=c0|FR=0.7*c0|FC=0.9*c0|LFE=0.2*c0|BL=0.3*c0|BR=0.4*c0' }),
      ],
      ...[...h264(), '-c:a', 'aac', '-b:a', '320k'],
    ],
  },
  'ac3-audio': {
    extension: 'mkv',
    args: () => [...picture(), ...sound(), ...h264(), '-c:a', 'ac3', '-b:a', '192k'],
  },
  'several-audio-tracks': {
    extension: 'mkv',
    args: () => [
      ...[...picture(), ...sound({ seed: 1 }), ...sound({ seed: 2 })],
      ...['-map', '0', '-map', '1', '-map', '2', ...usual],
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'],
    ],
  },
  subtitles: {
    extension: 'mkv',
    args: async ({ note }) => [
      ...[...picture(), ...sound(), '-f', 'srt', '-i', await note(SUBTITLES)],
      ...['-map', '0', '-map', '1', '-map', '2', ...usual, '-c:s', 'srt', '-metadata:s:s:0', 'language=eng'],
    ],
  },
  chapters: {
    extension: 'mp4',
    args: async ({ note }) => [
      ...[...picture(), ...sound(), '-f', 'ffmetadata', '-i', await note(CHAPTERS)],
      ...['-map', '0', '-map', '1', '-map_metadata', '2', '-map_chapters', '2', ...usual],
    ],
  },
  'start-time-mkv': {
    extension: 'mkv',
    args: () => [...picture(), ...sound(), ...usual, '-output_ts_offset', '3'],
  },
  'start-time-mp4': {
    extension: 'mp4',
    args: () => [...picture(), ...sound(), ...usual, '-output_ts_offset', '3'],
  },
  'start-time-ts': {
    extension: 'ts',
    args: async ({ other }) => ['-i', await other('mp4-bframes'), '-c', 'copy'],
  },
  // What a broadcast looks like after somebody changed its container and nothing else.
  'ts-remux': {
    extension: 'mp4',
    args: async ({ other }) => ['-copyts', '-i', await other('start-time-ts'), '-c', 'copy'],
  },
  // The first frames are in the file, for the others to build on, and are not to be shown.
  'edit-list': {
    extension: 'mp4',
    args: async ({ other }) => ['-ss', '1.3', '-i', await other('mp4-bframes'), '-c', 'copy'],
  },
  // One of a size that any time limit by the number of frames would let through.
  'long-sparse': {
    extension: 'mp4',
    args: () => [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=1:d=36000', ...h264('keyint=10:scenecut=0')],
      ...['-crf', '40', '-tune', 'zerolatency'],
    ],
  },
  slideshow: {
    extension: 'mp4',
    args: () => [...picture({ rate: '1/12', seconds: 48 }), ...sound({ seconds: 48 }), ...usual],
  },
} satisfies Record<string, Recipe>
