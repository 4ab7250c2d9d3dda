import { rmdirSync } from 'node:fs'
import path from 'node:path'

/** Removes empty folders as fast as it can, until it is killed: for a test that puts objects there. */
const root = process.argv[2]!

process.stdout.write('removing\n')
for (;;) {
  for (const folder of ['some/deep/folder', 'some/deep', 'some', 'other/folder', 'other']) {
    try {
      rmdirSync(path.join(root, folder))
    } catch {}
  }
}
