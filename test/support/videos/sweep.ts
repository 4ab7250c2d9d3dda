import { made } from '../video.ts'

/** A film of a few pictures a second, with a tone that rises all the time: what is heard tells when it is. */
export const sweepingFilm = (seconds: number, ending: string) =>
  made(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=5:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `aevalsrc=0.5*sin(2*PI*(60+t/4)*t):s=44100:d=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p'],
      ...['-c:a', ending === 'avi' ? 'libmp3lame' : 'aac', '-b:a', '128k'],
    ],
    ending,
  )
