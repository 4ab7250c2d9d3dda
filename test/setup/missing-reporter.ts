import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Says at the end what was skipped, and what the machine lacks for it. */
export class MissingReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunStart(): void {
    rmSync(this.#file, { force: true })
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const missing = existsSync(this.#file) ? new Set(readFileSync(this.#file, 'utf8').trim().split('\n')) : []
    rmSync(this.#file, { force: true })
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    if (skipped.length === 0) return
    process.stdout.write(`\n${skipped.length} tests were skipped.`)
    for (const what of missing) process.stdout.write(`\n  Missing here: ${what}`)
    process.stdout.write('\n\n')
  }
}
