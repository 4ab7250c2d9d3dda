import { type ChildProcess, spawn } from 'node:child_process'
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
 * One process at a time for a data folder. Two locks, both of which the kernel drops with the process,
 * so that there is no stale one to judge: a listening socket in Linux's abstract namespace, which tells
 * who holds it, and a lock on a file, which also holds between containers that share the folder.
 */
export async function lockDataFolder(folder: string): Promise<FolderLock | { heldBy: number | undefined }> {
  const address = `\0marquee-${instanceToken(folder)}`
  const server = await listenOn(address)
  if (!server) return { heldBy: await askHolder(address) }
  const holder = await lockFile(path.join(folder, 'instance'))
  if (holder === 'taken') {
    server.close()
    return { heldBy: undefined }
  }
  return {
    async release() {
      holder?.kill()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

function listenOn(address: string): Promise<net.Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => {
      // Whoever asked may be gone before the answer.
      socket.on('error', () => {})
      socket.end(String(process.pid))
    })
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(address, () => resolve(server.unref()))
  })
}

/**
 * Node cannot lock files; `flock` of util-linux can, and holds the lock for as long as its input is
 * open, which is as long as this process lives. Undefined where there is no such program.
 */
function lockFile(file: string): Promise<ChildProcess | 'taken' | undefined> {
  return new Promise((resolve) => {
    const args = [
      '--timeout',
      '2',
      '--conflict-exit-code',
      '75',
      file,
      'sh',
      '-c',
      'echo held; exec cat >/dev/null',
    ]
    const holder = spawn('flock', args, { stdio: ['pipe', 'pipe', 'ignore'], detached: true })
    holder.once('error', () => resolve(undefined))
    holder.once('exit', (code) => resolve(code === 75 ? 'taken' : undefined))
    holder.stdout.once('data', () => {
      holder.unref()
      holder.stdout.destroy()
      ;(holder.stdin as unknown as net.Socket).unref()
      resolve(holder)
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
