import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Every table has one owner, which alone writes to it, but for WRITERS. */
const OWNERS: Record<string, string[]> = {
  access: [
    'account_links',
    'api_key_secrets',
    'api_keys',
    'audit_entries',
    'failed_requests',
    'identities',
    'installation_secrets',
    'invitations',
    'known_addresses',
    'memberships',
    'openid_flows',
    'organizations',
    'policies',
    'policy_attachments',
    'projects',
    'sessions',
    'signing_keys',
    'users',
  ],
  uploads: ['files', 'garbage', 'imports', 'media_counts', 'orphaned_objects', 'resumable_uploads'],
  images: ['attached_items', 'image_presets', 'image_signing_secrets', 'images'],
  transcoding: ['playback_plans', 'segment_claims', 'segments'],
  videos: ['audio_tracks', 'subtitles', 'videos'],
  library: ['media_items'],
  feeds: ['feed_blocks', 'feed_creators', 'feeds', 'posts', 'trashed_posts'],
  billing: ['billing_events', 'billing_subscriptions', 'usage_samples'],
  webhooks: [
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_endpoints',
    'webhook_messages',
    'webhook_outbox',
    'webhook_places',
    'webhook_secrets',
  ],
  analytics: ['viewer_deletions'],
  platform: ['event_erasures', 'event_loaders', 'jobs', 'schema_migrations'],
}

/** Who reads a table of another in a join of its own: asking the owner for each row would cost a query each. */
const READERS: Record<string, string[]> = {
  uploads: ['images', 'projects', 'signing_keys', 'videos'],
  images: ['files', 'media_items'],
  transcoding: ['files'],
  videos: ['files', 'images', 'media_items'],
  feeds: ['files', 'images', 'media_items', 'projects', 'videos'],
  billing: ['images', 'organizations', 'projects', 'videos'],
  webhooks: ['organizations', 'projects'],
  backup: [
    'audio_tracks',
    'feeds',
    'files',
    'image_presets',
    'images',
    'installation_secrets',
    'posts',
    'projects',
    'resumable_uploads',
    'schema_migrations',
    'segments',
    'subtitles',
    'videos',
  ],
  library: ['audio_tracks', 'feeds', 'files', 'images', 'imports', 'posts', 'resumable_uploads', 'videos'],
}

/** What others write, in the statement that changes their own: the bytes of a file and their sum never differ. */
const WRITERS: Record<string, string[]> = { uploads: ['update projects set storage_used'] }

const tables = [...read('migrations/schema.sql').matchAll(/create table (?:public\.)?(\w+)/gi)].map(
  ([, name]) => name!,
)

test('every table of the schema has one owner', () => {
  expect(Object.values(OWNERS).flat().sort()).toEqual(tables.toSorted())
})

test('a table is written by its owner alone, and read by others where that is allowed', () => {
  const seen = new Set<string>()
  // The embedded event engine is another database, with tables of its own.
  const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !file.includes('/duckdb/'))
  for (const file of files) {
    const room = file.split('/')[1]!
    for (const { verb, table, column } of statementsIn(read(file))) {
      if (OWNERS[room]?.includes(table)) continue
      const said = `${verb} ${table}${column ? ` set ${column}` : ''}`
      const isWritten = /into|update|delete/i.test(verb)
      if (isWritten) expect(WRITERS[room] ?? [], file).toContain(said)
      else expect(READERS[room] ?? [], `${file}: ${said}`).toContain(table)
      if (!isWritten) seen.add(`${room} ${table}`)
    }
  }
  // An allowance that nobody uses any more goes.
  const allowed = Object.entries(READERS).flatMap(([room, names]) => names.map((name) => `${room} ${name}`))
  expect([...seen].sort()).toEqual(allowed.sort())
})

/** Tables that are named in the SQL of a source: all of it but imports and comments, whatever its templates hold. */
function statementsIn(source: string) {
  const code = source
    .replaceAll(/^(?:import|export) .*? from '.*'$|^\} from '.*'$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return [...code.matchAll(/\b(insert into|update|delete from|from|join)\s+(\w+)(?:\s+set\s+(\w+))?/gi)]
    .map(([, verb, table, column]) => ({ verb: verb!, table: table!, column }))
    .filter(({ table }) => tables.includes(table))
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}
