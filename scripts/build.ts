import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { buildConsole } from './build-console.ts'
import { type Bundled, buildHls } from './build-hls.ts'
import { licensesOf } from './licenses.ts'
import { minifyTemplates } from './minify-templates.ts'
import { trustedMarkup } from './trusted-markup.ts'

interface PackageFile {
  exports: Record<string, string | { default: string }>
}

const root = path.dirname(import.meta.dirname)
/** Another entry of the package, as a bundle imports it. */
const ENTRY = /(?<=["'`])\.\/(\w+)\.ts(?=["'`])/g
const LICENSES = 'LICENSES.txt'
const NOTICE = `/*! ${LICENSES} */\n`

/**
 * `dist` of every package: a minified module for each entry of its `exports`, the types of all its sources, and the licences
 * of what is bundled into it.
 */
for (const folder of globSync('packages/*', { cwd: root })) await build(path.join(root, folder))
// It uses the packages as apps do.
await buildConsole(path.join(root, 'console'))

async function build(folder: string): Promise<void> {
  const { exports } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageFile
  const names = Object.values(exports)
    .filter((entry) => typeof entry === 'object')
    .map((entry) => path.basename(entry.default, '.js'))
  const files = new Map<string, string>()
  const modules = new Set<string>()
  for (const name of names)
    for (const { fileName, code, moduleIds } of await bundle(folder, name, names)) {
      files.set(fileName, code)
      for (const id of moduleIds) modules.add(id)
    }
  // It is loaded when it is needed, from beside whatever loads it.
  if ([...files.values()].some((code) => code.includes('./hls.js'))) {
    const { code, moduleIds } = await buildHls()
    files.set('hls.js', `${NOTICE}${code}`)
    for (const id of moduleIds) modules.add(id)
  }
  const licenses = licensesOf(modules)
  if (licenses) files.set(LICENSES, licenses)
  for (const source of globSync('src/**/*.ts', { cwd: folder }))
    files.set(`${path.relative('src', source).slice(0, -'.ts'.length)}.d.ts`, declarationsOf(folder, source))
  place(path.join(folder, 'dist'), files)
}

/**
 * One module that needs no other but those of the package's entries, each of which is loaded once for all of them; and
 * a module for each `import()` in it, with the libraries that are loaded by it.
 */
async function bundle(
  folder: string,
  name: string,
  entries: string[],
): Promise<(Bundled & { fileName: string })[]> {
  const others = entries
    .filter((entry) => entry !== name)
    .map((entry) => path.join(folder, `src/${entry}.ts`))
  const made = await rolldown({
    input: path.join(folder, `src/${name}.ts`),
    external: (id, importer) =>
      id.startsWith('node:') ||
      id === 'react' ||
      id === 'hls.js' ||
      (importer !== undefined && others.includes(path.resolve(path.dirname(importer), id))),
    plugins: [trustedMarkup, minifyTemplates],
    // What the controls share with the player is the player's, not a script of its own.
    preserveEntrySignatures: 'allow-extension',
    // Where a page loads it is where it runs: nothing of it is older than AbortSignal.any.
    transform: { target: 'es2022' },
  })
  const { output } = await made.generate({
    format: 'esm',
    minify: true,
    comments: false,
    chunkFileNames: '[name].js',
  })
  await made.close()
  return output
    .filter((file) => file.type === 'chunk')
    .map(({ fileName, code, moduleIds }) => ({
      fileName,
      code: `${hasOthers(moduleIds) ? NOTICE : ''}${inPlace(code)}`,
      moduleIds,
    }))
}

/** With what is beside it by its name there. */
function inPlace(code: string): string {
  return code.replaceAll(ENTRY, './$1.js').replaceAll(/(import\([`'"])hls\.js/g, '$1./hls.js')
}

function hasOthers(modules: string[]): boolean {
  return modules.some((id) => id.includes('/node_modules/'))
}

function declarationsOf(folder: string, source: string): string {
  const text = readFileSync(path.join(folder, source), 'utf8')
  const { code, errors } = isolatedDeclarationSync(source, text)
  if (errors.length > 0) throw new Error(`${source}: ${errors.map(({ message }) => message).join('; ')}`)
  return code.replaceAll(/(from ")(\.[^"]+)\.ts"/g, '$1$2.js"')
}

/** Each file is whole at every moment: two builds at once write the same. */
function place(dist: string, files: Map<string, string>): void {
  mkdirSync(dist, { recursive: true })
  for (const old of globSync('*.{js,d.ts,txt}', { cwd: dist }))
    if (!files.has(old)) rmSync(path.join(dist, old), { force: true })
  for (const [name, content] of files) {
    const partial = path.join(dist, `.${name}.${process.pid}`)
    writeFileSync(partial, content)
    renameSync(partial, path.join(dist, name))
  }
}
