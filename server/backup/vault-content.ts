import { buffer } from 'node:stream/consumers'
import type { BackupContent } from './content.ts'
import type { Manifest } from './manifest.ts'
import { linesIn } from './pieces.ts'
import { entriesIn } from './previous.ts'
import type { Vault } from './vault.ts'

/** The content of an installation as a backup has it. */
export function contentOfBackup(vault: Vault, manifest: Manifest): BackupContent {
  const { id, moment, schema, tables, sequences, objects, events, files } = manifest
  return {
    id,
    moment: new Date(moment),
    schema,
    async *tables() {
      for (const { name, parts } of tables)
        yield {
          name,
          async *rows() {
            for (const part of parts) yield* linesIn(vault.open(part))
          },
        }
    },
    sequences: async () => sequences,
    async *objects() {
      for await (const { key, size, modified, sha256, blob } of entriesIn(vault, objects.parts))
        yield {
          key,
          size,
          modified,
          sha256,
          isRequired: true,
          isArriving: false,
          open: async () => vault.open({ blob, sha256, size }),
        }
    },
    async *events() {
      for (const part of events.parts) {
        const lines = await buffer(vault.open(part))
        yield { lines, count: eventsIn(lines) }
      }
    },
    files: () =>
      Promise.all(files.map(async ({ name, ref }) => ({ name, content: await buffer(vault.open(ref)) }))),
  }
}

/** How many events lines have, by their seals. */
export function eventsIn(lines: Buffer): number {
  let count = 0
  for (const [, events] of lines.toString('latin1').matchAll(/,"count":(\d{1,9}),"sum":\d{1,10}\}\n/g))
    count += Number(events)
  return count
}
