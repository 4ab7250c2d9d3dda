import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const root = path.resolve(import.meta.dirname, '../..')

/** Writes down which files failed, a line each: `.ci/run` looks at few of them a second time. */
export class FailedFiles implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const failed = errors.length > 0 ? [] : modules.filter((module) => !module.ok())
    writeFileSync(this.#file, failed.map(({ moduleId }) => `${path.relative(root, moduleId)}\n`).join(''))
  }
}
