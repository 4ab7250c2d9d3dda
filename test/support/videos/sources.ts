import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keptFolder, makeInPlace } from './kept.ts'
import { FORMATS, PICTURES } from './kinds.ts'
import { ffmpeg } from './programs.ts'
import type { Recipe } from './recipes.ts'
import { TIMES } from './times.ts'

const KINDS = { ...FORMATS, ...PICTURES, ...TIMES }

export type SourceKind = keyof typeof KINDS
export const sourceKinds = Object.keys(KINDS) as SourceKind[]

const KEPT = keptFolder('sources', ['kinds.ts', 'times.ts', 'recipes.ts'])

/** A video of this kind, made unless the folder has it already. */
export async function makeSource(kind: SourceKind, folder = KEPT): Promise<string> {
  const recipe: Recipe = KINDS[kind]
  const finished = path.join(folder, `${kind}.${recipe.extension}`)
  if (existsSync(finished)) return finished
  await makeInPlace(finished, async (output, scratch) => {
    const args = await recipe.args({
      other: (name) => makeSource(name as SourceKind, folder),
      async note(text) {
        const file = path.join(scratch, 'note.txt')
        await writeFile(file, text)
        return file
      },
    })
    await ffmpeg(['-v', 'error', ...args, output])
  })
  return finished
}
