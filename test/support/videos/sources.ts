import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keptFolder, makeInPlace } from './kept.ts'
import { FORMATS, PICTURES } from './kinds.ts'
import { LONGER } from './longer.ts'
import { ffmpeg } from './programs.ts'
import type { Recipe } from './recipes.ts'
import { TIMES } from './times.ts'

const KINDS = { ...FORMATS, ...PICTURES, ...TIMES }

export type SourceKind = keyof typeof KINDS
export const sourceKinds = Object.keys(KINDS) as SourceKind[]

export type LongerKind = keyof typeof LONGER
export const longerKinds = Object.keys(LONGER) as LongerKind[]

/** A video of a kind, made unless the folder has it already. */
export const makeSource = makerOf<SourceKind>(
  KINDS,
  keptFolder('sources', ['kinds.ts', 'times.ts', 'recipes.ts']),
)
export const makeLonger = makerOf<LongerKind>(LONGER, keptFolder('longer', ['longer.ts', 'recipes.ts']))

function makerOf<Kind extends string>(kinds: Record<Kind, Recipe>, kept: string) {
  return async function make(kind: Kind, folder = kept): Promise<string> {
    const recipe = kinds[kind]
    const finished = path.join(folder, `${kind}.${recipe.extension}`)
    if (existsSync(finished)) return finished
    await makeInPlace(finished, async (output, scratch) => {
      const args = await recipe.args({
        other: (name) => make(name as Kind, folder),
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
}
