import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { serverAccount } from '../../server/platform/postgres/account.ts'
import { findBinaries } from '../../server/platform/postgres/binaries.ts'
import { initializeCluster } from '../../server/platform/postgres/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterTemplate: string
  }
}

/** Sets a PostgreSQL folder up once; every service under test starts from a copy of it. */
export default function setup(project: TestProject) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'marquee-template-'))
  const folder = path.join(scratch, 'postgres')
  mkdirSync(scratch, { recursive: true })
  const account = serverAccount('nobody')
  initializeCluster({ folder, account, binaries: findBinaries(account), logFile: path.join(scratch, 'log') })
  project.provide('clusterTemplate', folder)
  return () => rmSync(scratch, { recursive: true, force: true })
}
