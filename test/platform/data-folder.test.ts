import { readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockDataFolder, prepareDataFolder } from '../../server/platform/data-folder/data-folder.ts'
import { discard, emptyDataDir } from '../support/service.ts'

test('whoever asks for the holder of a folder and goes away does no harm', async () => {
  const folder = emptyDataDir()
  onTestFinished(() => discard(folder))
  prepareDataFolder(folder)
  const lock = await lockDataFolder(folder)
  if (!('release' in lock)) throw new Error('it is held already')
  const address = `\0marquee-${readFileSync(path.join(folder, 'instance'), 'utf8')}`
  for (let i = 0; i < 200; i++)
    await new Promise<void>((gone) => {
      const socket = net.connect(address, () => socket.destroy())
      socket.on('error', () => {}).on('close', () => gone())
    })
  expect(await lockDataFolder(folder)).toEqual({ heldBy: process.pid })
  await lock.release()
})
