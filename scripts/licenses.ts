import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const require = createRequire(import.meta.url)

/** Who made what comes with the name of its licence alone. */
const HOLDERS: Record<string, string> = { thumbhash: 'Evan Wallace' }

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

/** The notices and licences of what a package of ours has in it, made of modules by these addresses; none if it is all its own. */
export function licensesOf(modules: Iterable<string>): string | undefined {
  const names = [...modules].flatMap(
    (module) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? [],
  )
  if (names.length === 0) return undefined
  const notices = [...new Set(names)].sort().map(noticeOf)
  // Some have only a notice that names this licence.
  const apache = readFileSync(path.join(root, 'LICENSE'), 'utf8').trim()
  return `${['In these scripts are works of others.', ...notices, apache].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function noticeOf(name: string): string {
  const folder = path.join(root, 'node_modules', name)
  const { license } = require(path.join(folder, 'package.json')) as { license: string }
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].find((one) => existsSync(path.join(folder, one)))
  const holder = HOLDERS[name]
  if (!file && !(holder && license === 'MIT')) throw new Error(`${name} comes without its licence`)
  const text = file
    ? readFileSync(path.join(folder, file), 'utf8').trim()
    : `Copyright (c) ${holder}\n\n${MIT}`
  return `${name} (${license})\n\n${text}`
}
