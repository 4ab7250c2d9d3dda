import type { ProjectId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { SizeOptions } from './option-schemas.ts'
import type { Preset, SigningSecret } from './schemas.ts'

export async function listPresets(sql: Sql, projectId: ProjectId, { limit, offset }: Page) {
  const rows = await sql<Preset[]>`
    select name, options, created_at, updated_at from image_presets where project_id = ${projectId}
    order by name limit ${limit} offset ${offset}`
  return { rows, total: await countPresets(sql, projectId) }
}

export async function countPresets(sql: Queryable, projectId: ProjectId): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::int as total from image_presets where project_id = ${projectId}`
  return row!.total
}

export async function putPreset(
  tx: Transaction,
  projectId: ProjectId,
  { name, options }: Pick<Preset, 'name' | 'options'>,
): Promise<Preset> {
  const [row] = await tx<Preset[]>`
    insert into image_presets (project_id, name, options)
    values (${projectId}, ${name}, ${tx.json(options as never)})
    on conflict (project_id, name) do update set options = excluded.options, updated_at = now()
    returning name, options, created_at, updated_at`
  return row!
}

export async function findPreset(
  sql: Queryable,
  projectId: ProjectId,
  name: string,
): Promise<SizeOptions | undefined> {
  const [row] = await sql<{ options: SizeOptions }[]>`
    select options from image_presets where project_id = ${projectId} and name = ${name}`
  return row?.options
}

export async function deletePreset(sql: Sql, projectId: ProjectId, name: string): Promise<boolean> {
  const deleted = await sql`delete from image_presets where project_id = ${projectId} and name = ${name}`
  return deleted.count > 0
}

export async function findSigningSecret(
  sql: Queryable,
  projectId: ProjectId,
): Promise<SigningSecret | undefined> {
  const [row] = await sql<SigningSecret[]>`
    select secret, created_at from image_signing_secrets where project_id = ${projectId}`
  return row
}

/** Keeps the one that is there, unless it is to be replaced. */
export async function keepSigningSecret(
  sql: Queryable,
  projectId: ProjectId,
  { secret, replace }: { secret: string; replace: boolean },
): Promise<SigningSecret> {
  const [row] = await sql<SigningSecret[]>`
    insert into image_signing_secrets (project_id, secret) values (${projectId}, ${secret})
    on conflict (project_id) do update set
      secret = case when ${replace} then excluded.secret else image_signing_secrets.secret end,
      created_at = case when ${replace} then now() else image_signing_secrets.created_at end
    returning secret, created_at`
  return row!
}
