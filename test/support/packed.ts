import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { root } from './service.ts'

const run = promisify(execFile)

/** A package as npm packs it, installed in a fresh project without a registry. */
export async function installPacked(name: string) {
  const packageFolder = path.join(root, 'packages', name)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-pack-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const npm = (...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder })
  const packed = await npm('pack', packageFolder, '--json', '--ignore-scripts')
  const [{ filename, files }] = JSON.parse(packed.stdout)
  const names: string[] = files.map((file: { path: string }) => file.path)
  expect(names.filter((one) => /src|\.built/.test(one))).toEqual([])
  await writeFile(path.join(folder, 'package.json'), '{"type": "module", "private": true}')
  await npm('install', `./${filename}`)

  return {
    /** What is in it. */
    names,
    /** The first example in JavaScript of its README. */
    async example(): Promise<string> {
      const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8')
      return /```js\n(.*?)```/s.exec(readme)![1]!
    },
    /** Runs a script of the project and answers what it wrote. */
    async runScript(
      script: string,
      env: Record<string, string> = {},
      [program, ...args]: string[] = [process.execPath],
    ): Promise<string> {
      await writeFile(path.join(folder, 'script.js'), script)
      const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } }
      return (await run(program!, [...args, 'script.js'], options)).stdout
    },
    addFile: (name: string, content: Buffer) => writeFile(path.join(folder, name), content),
    /** A dependency of the project, as this repository has it. */
    async link(dependency: string): Promise<void> {
      const place = path.join(folder, 'node_modules', dependency)
      await mkdir(path.dirname(place), { recursive: true })
      await symlink(path.join(root, 'node_modules', dependency), place)
    },
    /** Throws what the compiler has against a module of the project. */
    async checkTypes(module: string, more: string[] = [], name = 'strict.ts'): Promise<void> {
      await writeFile(path.join(folder, name), module)
      const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--noEmit', name]
      const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', ...more]
      await run(process.execPath, [...tsc, ...options], { cwd: folder }).catch((error) => {
        throw new Error(error.stdout)
      })
    },
  }
}
