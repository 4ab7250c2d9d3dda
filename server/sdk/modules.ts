import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { CACHING } from '../base/caching.ts'

/** A file of a package, as pages load it. */
export interface SdkModule {
  contentType: string
  caching: string
  plain: Encoded
  gzip: Encoded
}

export interface Encoded {
  body: Buffer
  /** Quoted and strong: of these very bytes. */
  etag: string
}

/** A package at one version: its files by their names. */
export interface Package {
  name: string
  version: string
  files: Record<string, string>
}

/** By what comes below `/sdk/`. What is not in it is not there, so that no address leads to any other file. */
export type SdkModules = ReadonlyMap<string, SdkModule>

const CONTENT_TYPES = [
  ['.js', 'text/javascript; charset=utf-8'],
  ['.d.ts', 'application/typescript; charset=utf-8'],
  // The licences of what is bundled into the scripts, which go where those go.
  ['.txt', 'text/plain; charset=utf-8'],
] as const

/** Reads what `npm run build` has made of each package. */
export function readPackages(packagesFolder: string): Package[] {
  return globSync('*/dist', { cwd: packagesFolder })
    .map((dist) => path.dirname(dist))
    .sort()
    .map((name) => {
      const about = readFileSync(path.join(packagesFolder, name, 'package.json'), 'utf8')
      const { version } = JSON.parse(about) as { version: string }
      const folder = path.join(packagesFolder, name, 'dist')
      const files = globSync('*.{js,d.ts,txt}', { cwd: folder }).sort()
      const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
      return { name, version, files: Object.fromEntries(files.map((file) => [file, read(file)])) }
    })
}

/** A package at the addresses of its version, which never change. */
export const versionModules = (one: Package): SdkModules =>
  modulesOf(one, { within: `${one.version}/`, caching: CACHING.version })

/** A package at the addresses of whichever version is the current one. */
export const currentModules = (one: Package): SdkModules =>
  modulesOf(one, { within: '', caching: CACHING.currentVersion })

function modulesOf(
  { name, files }: Package,
  { within, caching }: { within: string; caching: string },
): SdkModules {
  const modules = new Map<string, SdkModule>()
  const add = (address: string, content: string) => {
    const [, contentType] = CONTENT_TYPES.find(([ending]) => address.endsWith(ending))!
    modules.set(address, Object.assign(encodingsOf(content), { contentType, caching }))
  }
  for (const [file, content] of Object.entries(files)) {
    add(`${name}/${within}${file}`, content)
    if (file !== 'index.js' && file !== 'index.d.ts') continue
    // A package by its name alone. What it loads is beside its main module, so that is where this one leads.
    const main = within ? `../${name}/${within}index.js` : `./${name}/index.js`
    add(`${within}${name}${file.slice('index'.length)}`, `export * from '${main}'\n`)
  }
  return modules
}

/** Packed when it is first asked for, and not while a service starts. */
function encodingsOf(content: string): Pick<SdkModule, 'plain' | 'gzip'> {
  const plain = encoded(Buffer.from(content))
  let packed: Encoded | undefined
  return {
    plain,
    get gzip() {
      packed ??= encoded(gzipSync(plain.body))
      return packed
    },
  }
}

function encoded(body: Buffer): Encoded {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
