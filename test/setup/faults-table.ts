import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { PROMISES, type Row } from '../faults/promises.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Writes docs/faults.md of what a run of `npm run test:faults` has seen. */
export class FaultsTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const found = new Map(modules.map((one) => [path.relative(path.join(root, 'test'), one.moduleId), one]))
    const lines = PROMISES.map((row) => lineOf(row, found))
    const form = process.env.MARQUEE_TEST_LONG ? 'long' : 'short'
    const text = `# Faults

What may break, and what is promised then. \`npm run test:faults\` breaks each of these on real engines, reads everything
back, and writes this table; the last time in its ${form} form. What is to be done by hand is in [Operating](operating.md).

| What breaks | What is promised | Seen |
| --- | --- | --- |
${lines.join('\n')}
`
    writeFileSync(path.join(root, 'docs/faults.md'), text)
  }
}

function lineOf({ fault, promise, files }: Row, found: Map<string, TestModule>): string {
  const seen = files.map((file) => {
    const module = found.get(file)
    const name = `[${path.basename(file, '.test.ts')}](../test/${file})`
    return `${name}: ${module ? outcomeOf(module) : 'not run'}`
  })
  return `| ${fault} | ${promise} | ${seen.join('<br>')} |`
}

function outcomeOf(module: TestModule): string {
  const count = (state: 'passed' | 'failed' | 'skipped') => [...module.children.allTests(state)].length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  if (failed > 0 || !module.ok()) return `**${failed} of ${passed + failed} not kept**`
  const kept = passed === 1 ? 'kept' : `${passed} of ${passed} kept`
  return skipped > 0 ? `${kept}, ${skipped} left out` : kept
}
