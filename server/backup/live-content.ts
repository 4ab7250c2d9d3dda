import { mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ListedObject } from '../platform/objects/port.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { incomingKey, prefixOf } from '../uploads/index.ts'
import { atOneMoment, type HeldSource, openObject } from './at-one-moment.ts'
import { arrivingOf, type FileWithObjects, filesOf, isOfMoment, requiredOf } from './belonging.ts'
import type { BackupContent, ObjectContent } from './content.ts'
import { eventParts } from './event-parts.ts'
import { idOf } from './manifest.ts'
import { listTables, readRows, readSequences, schemaOf } from './tables.ts'

const MEDIA = 'media/'
const PACKAGES = 'sdk/'
/** Files of the data folder that exist nowhere else. */
const FILES = ['quickstart.json']

export interface LiveSource extends HeldSource {
  dataDir: string
  /** A folder for what is under way. */
  scratch: string
  /** Writes all events that came before a place in the order of arrival to a file. */
  dumpEvents(before: number, file: string): Promise<void>
}

export interface LiveContent extends BackupContent {
  /** What was begun after it is not in here. */
  taken: Date
  installation: string
}

/** The content of an installation as it is at one moment, while it goes on. */
export async function withLiveContent<T>(
  source: LiveSource,
  use: (content: LiveContent) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(source.scratch, 'backup-'))
  try {
    return await atOneMoment(source, async (tx, moment) => {
      const schema = await schemaOf(tx)
      return use(await contentOf(source, { tx, moment, schema, folder }))
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function contentOf(
  source: LiveSource,
  { tx, moment, schema, folder }: { tx: Transaction; moment: Date; schema: number; folder: string },
): Promise<LiveContent> {
  const { objects, dataDir } = source
  const [secret] = await tx<{ installation: string }[]>`
    select encode(sha256(convert_to('marquee installation ' || value, 'UTF8')), 'hex') as installation
    from installation_secrets where name = 'token_signing'`
  const taken = new Date()

  const opened = (key: string, size?: number) => openObject(source, key, size)

  async function* arriving(): AsyncGenerator<ObjectContent> {
    const about = { modified: 0, isRequired: false, isArriving: true }
    for await (const file of filesOf(tx, 'arriving')) {
      const key = incomingKey(file.id)
      yield { key, size: 0, ...about, open: () => opened(key) }
      for (const [piece, size] of arrivingOf(file))
        if (size > 0) yield { key: piece, size, ...about, open: () => opened(piece, size) }
    }
  }

  async function* kept(): AsyncGenerator<ObjectContent> {
    const listing = peekable(objects.list(MEDIA))
    for await (const file of filesOf(tx)) {
      const prefix = prefixOf(file.project_id, file.id)
      const listed = new Map<string, ListedObject>()
      for (let next = await listing.peek(); next && next.key < `${prefix.slice(0, -1)}0`; ) {
        if (next.key.startsWith(prefix)) listed.set(next.key, next)
        await listing.next()
        next = await listing.peek()
      }
      yield* objectsOf(file, listed)
    }
  }

  function* objectsOf(file: FileWithObjects, listed: Map<string, ListedObject>): Generator<ObjectContent> {
    const required = requiredOf(file)
    const wanted = [...listed.values()].filter(
      ({ key, lastModified }) => !required.has(key) && isOfMoment(file, key, lastModified, moment),
    )
    for (const key of [...required.keys(), ...wanted.map((each) => each.key)].sort())
      yield {
        key,
        size: listed.get(key)?.size ?? required.get(key)!,
        modified: listed.get(key)?.lastModified.getTime() ?? 0,
        isRequired: required.has(key),
        isArriving: false,
        open: () => opened(key),
      }
  }

  return {
    id: idOf(moment),
    moment,
    taken,
    schema,
    installation: secret?.installation ?? '',
    async *tables() {
      for (const name of await listTables(tx))
        yield {
          name,
          async *rows() {
            for await (const rows of readRows(tx, name)) yield* rows
          },
        }
    },
    sequences: () => readSequences(tx),
    async *objects() {
      yield* arriving()
      yield* kept()
      for await (const { key, size, lastModified } of objects.list(PACKAGES))
        yield {
          key,
          size,
          modified: lastModified.getTime(),
          isRequired: false,
          isArriving: false,
          open: () => opened(key),
        }
    },
    async *events() {
      const file = path.join(folder, 'events.ndjson')
      await source.dumpEvents(moment.getTime() * 1000, file)
      yield* eventParts(file)
    },
    async files() {
      const found = FILES.map(async (name) => ({
        name,
        content: await readFile(path.join(dataDir, name)).catch(() => undefined),
      }))
      return (await Promise.all(found)).flatMap(({ name, content }) => (content ? [{ name, content }] : []))
    },
  }
}

function peekable<T>(source: AsyncIterable<T>) {
  const iterator = source[Symbol.asyncIterator]()
  let ahead: Promise<IteratorResult<T>> | undefined
  const peek = async (): Promise<T | undefined> => {
    ahead ??= iterator.next()
    const { value, done } = await ahead
    return done ? undefined : value
  }
  return {
    peek,
    async next() {
      await peek()
      if (!(await ahead)!.done) ahead = undefined
    },
  }
}
