import { rmSync } from 'node:fs'
import path from 'node:path'
import { createClient, MarqueeError } from '../../../packages/client/src/node.ts'
import { createKey, createProject, findOrganizationOfProject, listOrganizations } from '../../access/index.ts'
import { OPERATOR } from '../../base/caller.ts'
import { StartupError } from '../../base/errors.ts'
import { newId, type OrganizationId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { DemoSize } from './command.ts'
import { makeMedia } from './make-media.ts'
import { progressOn, type StepLines } from './progress.ts'
import { publish } from './publish.ts'
import { sendEvents } from './send-events.ts'
import { type DemoState, type KeptState, keptState } from './state.ts'

export interface DemoOptions extends DemoSize {
  sql: Sql
  dataDir: string
  url: string
  ffmpeg: string
  /** The first one unless told. */
  orgId: OrganizationId | undefined
}

export interface DemoAnswer {
  console: string
  project_id: string
  api_key: string
  feed: string
  /** Nothing was done: it was there already. */
  was_there: boolean
}

/** Makes a demo, or the rest of one that was broken off. */
export async function runDemo(options: DemoOptions): Promise<DemoAnswer> {
  const kept = keptState(options.dataDir)
  const begun = await stillThere(kept.read(), options.sql)
  if (begun?.isDone) return answerOf(begun, options.url, true)
  await answers(options.url)

  const broken = new AbortController()
  const breakOff = () => broken.abort()
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff)
  try {
    const state = begun ?? (await begin(options, kept))
    await make(options, { state, kept, signal: broken.signal, progress: progressOn() })
    return answerOf(state, options.url, false)
  } catch (error) {
    if (broken.signal.aborted)
      throw new StartupError('broken off. Run it again to have the rest made, or take it away with --remove.')
    throw error instanceof MarqueeError ? new StartupError(wordsOf(error)) : error
  } finally {
    process.off('SIGINT', breakOff).off('SIGTERM', breakOff)
  }
}

/** Somebody may have deleted the project, or started anew with another database. */
async function stillThere(state: DemoState | undefined, sql: Sql): Promise<DemoState | undefined> {
  if (!state || !(await findOrganizationOfProject(OPERATOR, state.project_id, sql))) return undefined
  return state
}

/** The service has to run: everything but the project itself is made through it. */
async function answers(url: string): Promise<void> {
  const isThere = await fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  )
  if (!isThere)
    throw new StartupError(`no Marquee answers at ${url}. Start it with npm start, then try again.`)
}

async function begin(options: DemoOptions, kept: KeptState): Promise<DemoState> {
  const { sql, films, pictures, seconds, days } = options
  const [first] = await listOrganizations(OPERATOR, sql)
  const orgId = options.orgId ?? first?.id
  if (!orgId)
    throw new StartupError('there is no organization yet. See: npm run marquee -- organizations create')
  const id = newId('project')
  const state: DemoState = {
    ...{ project_id: id, api_key: '', films, pictures, seconds, days },
    ...{ videos: {}, images: {}, feeds: {}, posts: {}, sent: 0, isDone: false },
  }
  // First what it is to be known by: a demo that is killed here would not be found to be taken away.
  kept.write(state)
  await createProject(OPERATOR, orgId, { name: 'Demo' }, { sql, regions: [], id })
  return state
}

/** The key that everything is made with. It stays, and is printed in the end. */
async function keyOf(state: DemoState, orgId: OrganizationId, sql: Sql): Promise<string> {
  if (state.api_key) return state.api_key
  const key = await createKey(OPERATOR, orgId, { project_id: state.project_id, name: 'demo' }, sql)
  return key.secret!
}

interface DemoMaking {
  state: DemoState
  kept: KeptState
  signal: AbortSignal
  progress: StepLines
}

async function make({ ffmpeg, url, sql }: DemoOptions, making: DemoMaking): Promise<void> {
  const { state, kept, signal, progress } = making
  const keep = () => kept.write(state)
  const orgId = await findOrganizationOfProject(OPERATOR, state.project_id, sql)
  state.api_key = await keyOf(state, orgId!, sql)
  keep()
  const client = createClient({ url, apiKey: state.api_key })
  const folder = path.join(kept.folder, 'media')
  const media = await makeMedia({ ffmpeg, folder, size: state, signal, progress })
  await publish({ client, media, state, keep, signal, progress })
  await sendEvents({ client, state, keep, signal, progress })
  state.isDone = true
  keep()
  rmSync(folder, { recursive: true, force: true })
}

function answerOf(state: DemoState, url: string, was_there: boolean): DemoAnswer {
  const { project_id, api_key, feeds } = state
  const [feed] = Object.values(feeds)
  return { console: `${url}/console`, project_id, api_key, feed: `${url}/embed/${feed}`, was_there }
}

function wordsOf({ error, details, requestId }: MarqueeError): string {
  return [error, details, requestId && `(request ${requestId})`].filter(Boolean).join(' ')
}
