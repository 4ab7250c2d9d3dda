import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FORMATS, PICTURES } from './kinds.ts'
import { ffmpeg } from './programs.ts'
import type { Recipe } from './recipes.ts'
import { TIMES } from './times.ts'

const KINDS = { ...FORMATS, ...PICTURES, ...TIMES }

export type SourceKind = keyof typeof KINDS
export const sourceKinds = Object.keys(KINDS) as SourceKind[]

/** A video of this kind, made unless the folder has it already. */
export async function makeSource(kind: SourceKind, folder: string): Promise<string> {
  const recipe: Recipe = KINDS[kind]
  const finished = path.join(folder, `${kind}.${recipe.extension}`)
  if (existsSync(finished)) return finished
  await mkdir(folder, { recursive: true })
  // Others may be making the same: each in a place of its own, and the name is given when all is there.
  const scratch = await mkdtemp(path.join(folder, 'making-'))
  try {
    const output = path.join(scratch, `video.${recipe.extension}`)
    const args = await recipe.args({
      other: (name) => makeSource(name as SourceKind, folder),
      async note(text) {
        const file = path.join(scratch, 'note.txt')
        await writeFile(file, text)
        return file
      },
    })
    await ffmpeg(['-v', 'error', ...args, output])
    await rename(output, finished)
  } finally {
    await rm(scratch, { recursive: true })
  }
  return finished
}
