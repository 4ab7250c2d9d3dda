import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Output {
  stdout: Buffer
  stderr: string
}

/** Runs ffmpeg; a failure carries the last it said. */
export const ffmpeg = (args: string[]) => run('ffmpeg', ['-nostdin', '-hide_banner', '-nostats', ...args])

export async function ffprobe(args: string[]): Promise<string> {
  return (await run('ffprobe', ['-v', 'error', ...args])).stdout.toString()
}

/** As `ffmpeg`, with a line of what it says given away at a time, and the last few kept. */
export const ffmpegLines = (args: string[], onLine: (line: string) => void) =>
  run('ffmpeg', ['-nostdin', '-hide_banner', '-nostats', ...args], onLine)

async function run(program: string, args: string[], onLine?: (line: string) => void): Promise<Output> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout: Buffer[] = []
  const stderr: string[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  createInterface(child.stderr).on('line', (line) => {
    stderr.push(line)
    onLine?.(line)
    if (onLine && stderr.length > 5) stderr.shift()
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0)
    throw new Error(`${program} ended with ${code}: ${args.join(' ')}\n${stderr.slice(-5).join('\n')}`)
  return { stdout: Buffer.concat(stdout), stderr: stderr.join('\n') }
}
