import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

export interface PlainRung {
  width: number
  height: number
  maxRate: number
  copied: boolean
}

/** All renditions in one go, as anybody would write it, by the same encoder at the same settings. */
export async function plainLadder(source: string, folder: string, rungs: PlainRung[]): Promise<Measured> {
  const encoded = rungs.filter((rung) => !rung.copied)
  const graph = [
    `[0:v]split=${encoded.length}${encoded.map((_, i) => `[s${i}]`).join('')}`,
    ...encoded.map(({ width, height }, i) => `[s${i}]scale=${width}:${height}[v${i}]`),
  ].join(';')
  const outputs = encoded.flatMap(({ maxRate }, i) => [
    ...['-map', `[v${i}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-bf', '2'],
    ...['-maxrate', String(maxRate), '-bufsize', String(2 * maxRate), '-sc_threshold', '0', '-g', '120'],
    path.join(folder, `plain-${i}.mp4`),
  ])
  const copies = rungs.some((rung) => rung.copied)
    ? ['-map', '0:v', '-c:v', 'copy', path.join(folder, 'plain-copy.mp4')]
    : []
  const sound = [
    '-map',
    '0:a',
    '-c:a',
    'aac',
    '-aac_coder',
    'fast',
    '-b:a',
    '160k',
    path.join(folder, 'plain.m4a'),
  ]
  return measured(() =>
    exec('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      source,
      '-filter_complex',
      graph,
      ...outputs,
      ...copies,
      ...sound,
    ]),
  )
}

/** The first four seconds put into another container, nothing encoded. */
export async function plainRemux(source: string, folder: string): Promise<Measured> {
  const output = path.join(folder, 'remuxed.mp4')
  return measured(() => exec('ffmpeg', ['-v', 'error', '-y', '-i', source, '-t', '4', '-c', 'copy', output]))
}

export interface Measured {
  ms: number
  cpuSeconds: number
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const [start, cpu] = [performance.now(), busySeconds()]
  await work()
  return { ms: performance.now() - start, cpuSeconds: busySeconds() - cpu }
}

/** Processor time that the whole machine has spent: the children of sandboxes are nobody's to count. */
export function busySeconds(): number {
  const [user, nice, system] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/ +/).slice(1)
  return (Number(user) + Number(nice) + Number(system)) / 100
}
