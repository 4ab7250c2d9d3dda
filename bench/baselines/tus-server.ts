import { open } from 'node:fs/promises'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

/** `@tus/server` on its own file store, in the given folder, whose finished uploads are written through to the disk. */
const [directory] = process.argv.slice(2)
const server = new Server({
  path: '/files',
  datastore: new FileStore({ directory: directory! }),
  async onUploadFinish(_request, { storage }) {
    const handle = await open(storage!.path, 'r+')
    await handle.sync().finally(() => handle.close())
    return {}
  },
})
const listener = server.listen(0, '127.0.0.1', () => {
  const address = listener.address()
  if (address && typeof address === 'object') process.stdout.write(`port ${address.port}\n`)
})
