import type { ObjectContent } from './content.ts'
import type { BlobRef, ObjectEntry } from './manifest.ts'
import { linesIn } from './pieces.ts'
import type { Vault } from './vault.ts'

export interface Previous {
  /** What the backup before has of an object that has not changed since. To be asked in the order of keys. */
  find(object: Pick<ObjectContent, 'key' | 'size' | 'modified'>): Promise<ObjectEntry | undefined>
}

/** The objects of the newest backup, read along with those that are there now. */
export async function previousObjects(vault: Vault): Promise<Previous> {
  const newest = (await vault.ids()).at(-1)
  const parts = newest
    ? await vault.read(newest).then(
        ({ objects }) => objects.parts,
        () => [],
      )
    : []
  const entries = entriesIn(vault, parts)
  // Where it is damaged, the rest counts as new.
  const next = () =>
    entries.next().then(
      ({ value }): ObjectEntry | undefined => value ?? undefined,
      () => undefined,
    )
  let ahead = await next()
  return {
    async find({ key, size, modified }) {
      while (ahead && (isArriving(ahead) || ahead.key < key)) ahead = await next()
      if (ahead?.key !== key) return undefined
      // An object's content never changes under its key; what would is made anew, at another time.
      return ahead.size === size && ahead.modified === modified && modified > 0 ? ahead : undefined
    },
  }
}

const isArriving = ({ modified }: ObjectEntry) => modified === 0

export async function* entriesIn(vault: Pick<Vault, 'open'>, parts: BlobRef[]): AsyncGenerator<ObjectEntry> {
  for (const part of parts)
    for await (const line of linesIn(vault.open(part))) yield JSON.parse(line) as ObjectEntry
}
