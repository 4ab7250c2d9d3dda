import type { FileId, ProjectId } from '../../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'

export interface Import {
  url: string
  validator: string | null
  size: number | null
  failure: string | null
}

export async function insertImport(
  tx: Transaction,
  { fileId, projectId, url }: { fileId: FileId; projectId: ProjectId; url: string },
): Promise<void> {
  await tx`insert into imports (file_id, project_id, url) values (${fileId}, ${projectId}, ${url})`
}

/** Undefined where there is none, or where its file is no longer awaited. */
export async function findImport(sql: Queryable, fileId: FileId): Promise<Import | undefined> {
  const [row] = await sql<Import[]>`
    select i.url, i.validator, i.size, i.failure from imports i join files f on f.id = i.file_id
    where i.file_id = ${fileId} and f.deleted_at is null`
  return row
}

/** Those of a project that are still to come. */
export async function countImports(sql: Queryable, projectId: ProjectId): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::int as total from imports where project_id = ${projectId} and failure is null`
  return row!.total
}

export async function describeImport(
  sql: Sql,
  fileId: FileId,
  { validator, size }: { validator: string | undefined; size: number | undefined },
): Promise<void> {
  await sql`
    update imports set validator = ${validator ?? null}, size = ${size ?? null} where file_id = ${fileId}`
}

export async function failImport(sql: Sql, fileId: FileId, reason: string): Promise<void> {
  await sql`update imports set failure = ${reason} where file_id = ${fileId}`
}

/** It is complete: where it came from is of no interest any more. */
export async function deleteImport(sql: Sql, fileId: FileId): Promise<void> {
  await sql`delete from imports where file_id = ${fileId}`
}
