import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'

/** Makes the folder where there is none, and ends with one line where it cannot be used. */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    instanceToken(folder)
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message
    throw new StartupError(
      `cannot write to the data folder ${folder}: ${reason}. Set MARQUEE_DATA_DIR to a folder that you may write to.`,
    )
  }
}

/** Not Node's own `recursive`: that one never returns where a file system refuses new folders with ENOENT (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'folders cannot be made there',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
}

/** Names the folder's lock. Random, so that nobody who cannot read the folder can squat on the name. */
function instanceToken(folder: string): string {
  const file = path.join(folder, 'instance')
  try {
    writeFileSync(file, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

export interface FolderLock {
  release(): Promise<void>
}

/**
 * One process at a time for a data folder. The lock is a listening socket in Linux's abstract
 * namespace: the kernel takes it atomically and drops it with the process, however that ends, so
 * there is no stale lock file to judge. Whoever connects is told who holds it.
 */
export function lockDataFolder(folder: string): Promise<FolderLock | { heldBy: number }> {
  const address = `\0marquee-${instanceToken(folder)}`
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.end(String(process.pid)))
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') askHolder(address).then((heldBy) => resolve({ heldBy }), reject)
      else reject(error)
    })
    server.listen(address, () => {
      server.unref()
      resolve({ release: () => new Promise((done) => server.close(() => done())) })
    })
  })
}

function askHolder(address: string): Promise<number> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = net.connect(address)
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(Number(answer)))
  })
}
