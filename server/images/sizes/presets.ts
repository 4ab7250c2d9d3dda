import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { Page } from '../../http/pagination.ts'
import { holdName, type Sql } from '../../platform/postgres/client.ts'
import { checkSize } from './check-size.ts'
import type { SizeOptions } from './option-schemas.ts'
import type { Preset } from './schemas.ts'
import * as store from './store.ts'

const MOST_PRESETS = 200

export async function listPresets(caller: Caller, scope: ProjectScope, page: Page, sql: Sql) {
  allow(caller, 'images:read', scope)
  return store.listPresets(sql, scope.projectId, page)
}

/** Sets a preset, in place of the one of its name. */
export async function putPreset(
  caller: Caller,
  scope: ProjectScope,
  preset: { name: string; options: SizeOptions },
  sql: Sql,
): Promise<Preset> {
  allow(caller, 'images:write', scope)
  checkSize(preset.options, 'body')
  return sql.begin(async (tx) => {
    await holdName(tx, `presets of ${scope.projectId}`)
    const made = await store.putPreset(tx, scope.projectId, preset)
    if ((await store.countPresets(tx, scope.projectId)) > MOST_PRESETS)
      throw conflict(`a project has at most ${MOST_PRESETS} presets`)
    return made
  })
}

export async function deletePreset(
  caller: Caller,
  scope: ProjectScope,
  name: string,
  sql: Sql,
): Promise<void> {
  allow(caller, 'images:delete', scope)
  if (!(await store.deletePreset(sql, scope.projectId, name))) throw notFound()
}
