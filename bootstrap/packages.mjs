import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, root } from './say.mjs'

const packages = path.join(root, 'packages')
/** Beside the packages' own files, what their modules are made by. */
const MAKERS = ['scripts/build.ts', 'scripts/build-hls.ts', 'scripts/licenses.ts', 'package-lock.json']

/** Builds what the service serves under /sdk, unless that was done already for these very sources: half a second. */
export async function buildPackages(node) {
  const folders = readdirSync(packages).map((name) => path.join(packages, name))
  const sources = folders.flatMap((folder) => [
    path.join(folder, 'package.json'),
    ...filesIn(path.join(folder, 'src')),
  ])
  const hash = createHash('sha256')
  for (const file of [...sources, ...MAKERS.map((name) => path.join(root, name))])
    hash.update(path.relative(root, file)).update(readFileSync(file))
  const wanted = hash.digest('hex')
  const stamps = folders.map((folder) => path.join(folder, 'dist/.built'))
  if (stamps.every((stamp) => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)) return

  const { status } = spawnSync(node, ['scripts/build.ts'], { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0) fail('the packages could not be built; the message is above.')
  for (const stamp of stamps) writeFileSync(stamp, wanted)
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
