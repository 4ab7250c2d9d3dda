import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { loadConfig } from '../server/config/config.ts'
import { prepareDataFolder } from '../server/platform/data-folder/data-folder.ts'
import { migrate } from '../server/platform/postgres/migrate.ts'
import { addressesOf } from '../server/start/addresses.ts'
import { composeService } from '../server/start/compose.ts'
import { openDatabase } from '../server/start/engines/database.ts'
import { apiTypes } from './generate/api-types.ts'
import { clientTypes } from './generate/client-types.ts'
import { configurationPage } from './generate/configuration-page.ts'
import { type Description, interfacePage } from './generate/interface-page.ts'
import { operatingPage } from './generate/operating-page.ts'
import { roomsPicture } from './generate/rooms-picture.ts'
import { scalePage } from './generate/scale-page.ts'
import { schemaDump } from './generate/schema-dump.ts'
import type { ApiDescription } from './generate/schema-types.ts'

const root = path.dirname(import.meta.dirname)
const isCheck = process.argv.includes('--check')

/** Everything that is made from code and committed; with `--check`, compared instead of written. */
async function generate(): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'marquee-generate-'))
  const config = loadConfig({ MARQUEE_DATA_DIR: dataDir, MARQUEE_LOG_LEVEL: 'fatal' })
  prepareDataFolder(dataDir)
  const database = await openDatabase(config, () => {})
  try {
    await migrate(database.sql)
    const service = await composeService(config, {
      sql: database.sql,
      addresses: addressesOf(config, config.port),
    })
    const description = service.app.swagger()
    const files = {
      'docs/configuration.md': configurationPage(),
      'docs/interface.md': interfacePage(description as unknown as Description),
      'docs/operating.md': operatingPage(),
      'docs/scale.md': scalePage(),
      'docs/images/rooms.svg': roomsPicture(root),
      'docs/openapi.json': `${JSON.stringify(description, null, 2)}\n`,
      'test/support/api-types.ts': apiTypes(description as unknown as ApiDescription),
      'packages/client/src/api-types.ts': clientTypes(description as unknown as ApiDescription),
      'migrations/schema.sql': await schemaDump(database.sql),
    }
    await service.close()
    return files
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

let stale = 0
for (const [name, content] of Object.entries(await generate())) {
  const file = path.join(root, name)
  if (!isCheck) writeFileSync(file, content)
  else if (readFileSync(file, 'utf8') !== content) {
    process.stderr.write(`${name} is not what the code makes. Run: npm run generate\n`)
    stale++
  }
}
process.stdout.write(isCheck ? `generated files: ${stale} stale\n` : 'generated\n')
process.exitCode = stale > 0 ? 1 : 0
