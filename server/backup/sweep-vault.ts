import type { BlobRef } from './manifest.ts'
import { entriesIn } from './previous.ts'
import type { Vault } from './vault.ts'

/** Forgets all but the newest backups. Answers which. */
export async function keepNewest(vault: Vault, count: number): Promise<string[]> {
  const old = (await vault.ids()).slice(0, -count)
  for (const id of old) await vault.remove(id)
  return old
}

/** Deletes what no backup names: of those that are forgotten, and of those that were begun and never ended. */
export async function sweepVault(vault: Vault): Promise<number> {
  const named = new Set<string>()
  const name = (refs: BlobRef[]) => {
    for (const { blob } of refs) named.add(blob)
  }
  for (const id of await vault.ids()) {
    const { tables, objects, events, files } = await vault.read(id)
    for (const { parts } of tables) name(parts)
    name(objects.parts)
    name(events.parts)
    name(files.map(({ ref }) => ref))
    for await (const { blob } of entriesIn(vault, objects.parts)) named.add(blob)
  }
  return vault.sweep((blob) => named.has(blob))
}
