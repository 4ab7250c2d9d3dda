import type { TestProject } from 'vitest/node'
import { type EngineAddresses, startEngines } from '../support/scale/engines.ts'
import { type Installation, startInstallation } from '../support/scale/installation.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Is there where a service under test is several processes on engines by address. */
    engines?: EngineAddresses
    /** With the usual settings, for each process that runs tests one that has workers, and one that has none. */
    installations?: Kept[]
  }
}

export interface Kept {
  url: string
  databaseUrl: string
  redisUrl: string
  bucket: string
  workers: number
}

/** Engines, and installations on them, for all tests of a run. */
export default async function setup(project: TestProject) {
  const { servers, stop } = await startEngines(['fsync=off'])
  project.provide('databaseServer', servers.databases)
  project.provide('engines', servers.engines)
  const started: Installation[] = []
  const kept: Kept[] = []
  // One after the other: they would wait for each other's turn on two cores.
  for (const workers of [2, 0])
    for (let i = 0; i < project.vitest.config.maxWorkers; i++) {
      const installation = await startInstallation({ workers }, servers)
      started.push(installation)
      const { url, databaseUrl, env } = installation
      kept.push({
        url,
        databaseUrl,
        redisUrl: env.MARQUEE_REDIS_URL!,
        bucket: env.MARQUEE_S3_BUCKET!,
        workers,
      })
    }
  project.provide('installations', kept)
  return async () => {
    for (const installation of started) await installation.stop()
    await stop()
  }
}
