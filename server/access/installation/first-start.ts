import { randomBytes } from 'node:crypto'
import { OPERATOR } from '../../base/caller.ts'
import { Refusal } from '../../base/errors.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { composeKey, newKeyId, parseKey } from '../keys/kinds.ts'
import { insertKey } from '../keys/store.ts'
import { insertMember } from '../members/store.ts'
import { insertOrganization } from '../organizations/store.ts'
import { insertProject } from '../projects/store.ts'
import { hashPassword } from '../tokens/passwords.ts'
import { issueToken, type TokenDeps } from '../tokens/sessions.ts'
import { insertUser } from '../users/store.ts'
import { isInstalled, keepSecret, lockInstallation } from './store.ts'

/** What a first start makes, in the words of quickstart.json. */
export interface Seed {
  org_id: OrganizationId
  project_id: ProjectId
  api_key: string
  publishable_key: string
  owner_email: string
  owner_password: string
  webhook_secret: string
}

export function newSeed(): Seed {
  return {
    org_id: newId('organization'),
    project_id: newId('project'),
    api_key: composeKey('sk', newKeyId()),
    publishable_key: composeKey('pk', newKeyId()),
    owner_email: 'owner@marquee.local',
    owner_password: randomBytes(18).toString('base64url'),
    webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
  }
}

/**
 * Makes the first organization with its project, owner and keys, unless there is one already. The
 * caller has written the seed down before: what is stored here are hashes, and a crash right after
 * must not lose the only copy of a key.
 */
export async function firstStart(seed: () => Seed, sql: Sql): Promise<void> {
  if (await isInstalled(sql)) return
  await sql.begin(async (tx) => {
    await lockInstallation(tx)
    if (await isInstalled(tx)) return
    const { org_id: orgId, project_id: projectId, ...made } = seed()
    const userId = newId('user')
    await insertOrganization(tx, { id: orgId, name: 'My organization', plan: 'custom' })
    await insertProject(tx, { id: projectId, orgId, name: 'My project', regions: [], videoQuality: 'basic' })
    await insertUser(tx, {
      id: userId,
      email: made.owner_email,
      passwordHash: await hashPassword(made.owner_password),
      confinedTo: null,
    })
    await insertMember(tx, orgId, userId, 'owner')
    for (const [name, text] of [
      ['Secret key', made.api_key],
      ['Publishable key', made.publishable_key],
    ] as const) {
      const { id, kind, hash } = parseKey(text)!
      await insertKey(tx, { id, projectId, kind, name, createdBy: userId, hash })
    }
    await keepSecret(tx, 'webhook', made.webhook_secret)
  })
}

const LIFETIME_SECONDS = 24 * 3600

/** A day-long access token for the owner that the first start made; undefined once they are gone. */
export async function ownerToken(
  email: string,
  deps: Pick<TokenDeps, 'sql' | 'issuer'>,
): Promise<string | undefined> {
  try {
    return await issueToken(OPERATOR, { email, lifetimeSeconds: LIFETIME_SECONDS }, deps)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}
