import { text } from 'node:stream/consumers'
import { MediaProgramFailed } from './errors.ts'
import type { AudioRendition } from './plan.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, runProgram } from './program.ts'

const LIMITS = { cpuSeconds: 30, memoryBytes: 2 * 2 ** 30 }

/**
 * Those of a file's sounds that can be decoded: some have no decoder at all, and of some not one block is whole.
 * What is found here is left out; found later, it would be a sound that is offered and never comes.
 */
export async function decodable(
  tools: MediaTools,
  source: string,
  sounds: AudioRendition[],
): Promise<AudioRendition[]> {
  if (sounds.length === 0) return []
  // By one program, which is all that it takes for most files. One without a decoder ends it for all of them.
  const together = await tryOut(tools, source, sounds)
  const heard = await Promise.all(
    sounds.map(
      async (sound, i) => together[i] || (sounds.length > 1 && (await tryOut(tools, source, [sound]))[0]),
    ),
  )
  return sounds.filter((_, i) => heard[i])
}

/** Whether a block of each comes out. */
async function tryOut(tools: MediaTools, source: string, sounds: AudioRendition[]): Promise<boolean[]> {
  const outputs = sounds.flatMap(({ stream }, i) => [
    ...['-map', `0:${stream}`, '-frames:a', '1', '-f', 'framecrc', `pipe:${3 + i}`],
  ])
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: ['-nostdin', '-v', 'fatal', ...INPUT_GUARDS, '-i', source, ...outputs],
    inputs: [source],
    pipes: sounds.length,
    ...LIMITS,
  })
  program.stdout.resume()
  const written = await Promise.all(program.pipes.map((pipe) => text(pipe)))
  await program.ended.catch((error) => {
    if (!(error instanceof MediaProgramFailed)) throw error
  })
  return written.map((lines) => /^\d+,/m.test(lines))
}
