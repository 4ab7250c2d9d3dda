import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CACHING } from '../base/caching.ts'

/** A file of the console, as browsers load it. */
export interface ConsoleFile {
  contentType: string
  caching: string
  plain: Buffer
  /** Packed by brotli, where that makes it smaller. */
  packed?: Buffer
  /** Of its content, however it is packed. */
  etag: string
}

export interface ConsoleFiles {
  /** By what comes below `/console/`. What is not in it is not there. */
  files: ReadonlyMap<string, ConsoleFile>
  /** What every page is: the app finds out by its address what to show. */
  page: string
}

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** Reads what `npm run build` has made of the console; nothing where it was not built. */
export function readConsole(folder: string): ConsoleFiles | undefined {
  const index = path.join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const files = new Map<string, ConsoleFile>()
  for (const file of globSync('**/*.{js,css,svg,txt}', { cwd: folder })) {
    const plain = readFileSync(path.join(folder, file))
    const packedFile = path.join(folder, `${file}.br`)
    files.set(file.split(path.sep).join('/'), {
      contentType: CONTENT_TYPES[path.extname(file)]!,
      // Names of assets have a hash of their content in them.
      caching: file.startsWith('assets') ? CACHING.version : CACHING.currentVersion,
      plain,
      ...(existsSync(packedFile) && { packed: readFileSync(packedFile) }),
      etag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    })
  }
  return { files, page: readFileSync(index, 'utf8') }
}
