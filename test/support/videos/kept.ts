import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/marquee-media')

/** Another ffmpeg makes other bytes. */
function ffmpegStamp(): string {
  const places = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'ffmpeg'))
  const program = places.find((place) => existsSync(place))
  if (!program) return 'none'
  const { size, mtimeMs } = statSync(program)
  return `${size} ${mtimeMs}`
}

/** A name for what ffmpeg makes of something, the same as long as both are. */
function stampOf(...what: unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([ffmpegStamp(), what]))
    .digest('hex')
    .slice(0, 32)
}

/** The folder in which files are kept from one run to the next that these modules tell how to make. */
export function keptFolder(name: string, modules: string[]): string {
  const recipes = modules.map((module) => readFileSync(path.join(import.meta.dirname, module), 'utf8'))
  return path.join(CACHE, `${name}-${stampOf(recipes)}`)
}

/** A file made of arguments that name no other file of the moment is the same in every run. */
export function keptFile(args: string[], ending: string): string | undefined {
  if (args.some((arg) => arg.includes(os.tmpdir()) || path.isAbsolute(arg))) return undefined
  return path.join(CACHE, `${stampOf(args)}.${ending}`)
}

/** Others may be making the same: each in a place of its own, and the name is given when all is there. */
export async function makeInPlace(
  finished: string,
  make: (output: string, scratch: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(finished)
  await mkdir(folder, { recursive: true })
  const scratch = await mkdtemp(path.join(folder, 'making-'))
  try {
    const output = path.join(scratch, `made${path.extname(finished)}`)
    await make(output, scratch)
    await rename(output, finished)
  } finally {
    await rm(scratch, { recursive: true })
  }
}
