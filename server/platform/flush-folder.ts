import { open } from 'node:fs/promises'

/** A new or changed name is on the disk when its folder is. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
