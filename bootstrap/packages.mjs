import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, root, timed } from './say.mjs'

const packages = path.join(root, 'packages')
const consoleFolder = path.join(root, 'console')
/** Beside the packages' own files, what their modules are made by. */
const MAKERS = [
  'scripts/build.ts',
  'scripts/build-console.ts',
  'scripts/build-hls.ts',
  'scripts/licenses.ts',
  'scripts/minify-templates.ts',
  'scripts/trusted-markup.ts',
  'package-lock.json',
]

/** Builds what the service serves under /sdk and /console, unless that was done already for these very sources: seconds. */
export async function buildPackages(node) {
  const folders = readdirSync(packages).map((name) => path.join(packages, name))
  const sources = folders.flatMap((folder) => [
    path.join(folder, 'package.json'),
    ...filesIn(path.join(folder, 'src')),
  ])
  for (const name of ['src', 'public']) sources.push(...filesIn(path.join(consoleFolder, name)))
  for (const name of ['index.html', 'vite.config.ts']) sources.push(path.join(consoleFolder, name))
  const hash = createHash('sha256')
  for (const file of [...sources, ...MAKERS.map((name) => path.join(root, name))])
    hash.update(path.relative(root, file)).update(readFileSync(file))
  const wanted = hash.digest('hex')
  const stamps = [...folders, consoleFolder].map((folder) => path.join(folder, 'dist/.built'))
  if (stamps.every((stamp) => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)) return

  const { status } = timed('building the packages for pages and the console', () =>
    spawnSync(node, ['scripts/build.ts'], { cwd: root, stdio: ['ignore', 2, 'inherit'] }),
  )
  if (status !== 0) fail('the packages could not be built; the message is above.')
  for (const stamp of stamps) writeFileSync(stamp, wanted)
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
