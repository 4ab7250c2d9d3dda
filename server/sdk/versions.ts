import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { CACHING } from '../base/caching.ts'
import { notFound } from '../base/errors.ts'
import { ObjectExists } from '../platform/objects/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import { currentModules, type Package, type SdkModule, type SdkModules, versionModules } from './modules.ts'

interface Log {
  warn(fields: object, message: string): void
}

const RETRY_MS = 60_000
/** So many versions other than those that are built are held in memory, a megabyte or two each. */
const MOST_HELD = 8

/** All of a version is one object: it is there whole or not at all, wherever a crash comes between. */
const keyOf = ({ name, version }: Pick<Package, 'name' | 'version'>) => `sdk/${name}/${version}.json`

/** `player/0.1.0/index.js`, or `0.1.0/player.js`; anything else is asked of no store. */
const NAME = '[a-z]{1,40}'
const VERSION = '\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}(?:-[\\w.]{1,40})?'
const ADDRESS = new RegExp(`^(?:(${NAME})/(${VERSION})/[\\w.-]+|(${VERSION})/(${NAME})(?:\\.d)?\\.[jt]s)$`)

/**
 * Serves the packages as they are built, and those of their versions that were built when the service was started before:
 * each is put into the object store once, and is never replaced.
 */
export function openVersions(built: Package[], objects: ObjectStore) {
  const current = new Map(built.flatMap((one) => [...currentModules(one)]))
  const pinned = new Map(built.flatMap((one) => [...versionModules(one)]))
  /** What is kept under the key is what is built. */
  const proven = new Set<string>()
  const others = new LRUCache<string, SdkModules>({
    max: MOST_HELD,
    fetchMethod: async (key) => {
      const kept = await read(key)
      return kept && versionModules(JSON.parse(kept.toString()) as Package)
    },
  })
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> | undefined

  async function read(key: string): Promise<Buffer | undefined> {
    const found = await objects.get(key)
    return found && buffer(found.stream)
  }

  /** What is kept, from now on or already. */
  async function keptOf(key: string, body: Buffer): Promise<Buffer> {
    const kept = await read(key)
    if (kept) return kept
    try {
      await objects.put(key, body, { ifAbsent: true, contentType: 'application/json' })
      return body
    } catch (error) {
      if (!(error instanceof ObjectExists)) throw error
      return (await read(key))!
    }
  }

  async function keepAll(log: Log): Promise<void> {
    for (const one of built) {
      const key = keyOf(one)
      const body = Buffer.from(JSON.stringify(one))
      if (isClosed || proven.has(key)) continue
      const kept = await keptOf(key, body)
      if (kept.equals(body)) proven.add(key)
      else log.warn({}, `@marquee/${one.name} is not what version ${one.version} was: it needs a new number`)
    }
  }

  return {
    /** In the background: a store that is away keeps nothing from starting, and is asked again. */
    keep(log: Log): void {
      work = keepAll(log).catch((error) => {
        if (isClosed) return
        log.warn({ err: error }, 'versions of the packages not kept')
        timer = setTimeout(() => this.keep(log), RETRY_MS).unref()
      })
    },

    async find(address: string): Promise<SdkModule> {
      const found = current.get(address)
      if (found) return found
      const [, name, version, otherVersion, otherName] = ADDRESS.exec(address) ?? []
      const key = keyOf({ name: name ?? otherName!, version: version ?? otherVersion! })
      const module = pinned.get(address)
      // Not known to be what it was under this number: pages ask about it every time.
      if (module) return proven.has(key) ? module : { ...module, caching: CACHING.publicCopy }
      const other = name || otherName ? (await others.fetch(key))?.get(address) : undefined
      if (!other) throw notFound()
      return other
    },

    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await work
    },
  }
}

export type Versions = ReturnType<typeof openVersions>
