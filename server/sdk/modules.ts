import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { CACHING } from '../base/caching.ts'
import { notFound } from '../base/errors.ts'

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

/** By what comes below `/sdk/`. What is not in it is not there, so that no address leads to any other file. */
export type SdkModules = ReadonlyMap<string, SdkModule>

const CONTENT_TYPES = [
  ['.js', 'text/javascript; charset=utf-8'],
  ['.d.ts', 'application/typescript; charset=utf-8'],
  // The licences of what is bundled into the scripts, which go where those go.
  ['.txt', 'text/plain; charset=utf-8'],
] as const

/** Reads what `npm run build` has made of each package: under its version, which never changes, and as the current one. */
export function readModules(packagesFolder: string): SdkModules {
  const modules = new Map<string, SdkModule>()
  const add = (address: string, caching: string, content: Buffer) => {
    const [, contentType] = CONTENT_TYPES.find(([ending]) => address.endsWith(ending))!
    modules.set(address, { contentType, caching, plain: encoded(content), gzip: encoded(gzipSync(content)) })
  }
  for (const file of globSync('*/dist/*.{js,d.ts,txt}', { cwd: packagesFolder })) {
    const [name, , module] = file.split(path.sep) as [string, string, string]
    const about = readFileSync(path.join(packagesFolder, name, 'package.json'), 'utf8')
    const { version } = JSON.parse(about) as { version: string }
    const content = readFileSync(path.join(packagesFolder, file))
    add(`${name}/${version}/${module}`, CACHING.version, content)
    add(`${name}/${module}`, CACHING.currentVersion, content)
    if (module !== 'index.js' && module !== 'index.d.ts') continue
    // A package by its name alone. What it loads is beside its main module, so that is where this one leads.
    const ending = module.slice('index'.length)
    add(`${version}/${name}${ending}`, CACHING.version, reexport(`../${name}/${version}/index.js`))
    add(`${name}${ending}`, CACHING.currentVersion, reexport(`./${name}/index.js`))
  }
  return modules
}

const reexport = (address: string) => Buffer.from(`export * from '${address}'\n`)

export function findModule(modules: SdkModules, address: string): SdkModule {
  const found = modules.get(address)
  if (!found) throw notFound()
  return found
}

function encoded(body: Buffer): Encoded {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
