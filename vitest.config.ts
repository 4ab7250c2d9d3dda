import os from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { FailedFiles } from './test/setup/failed-files.ts'
import { FaultsTable } from './test/setup/faults-table.ts'
import { LongestFirst } from './test/setup/longest-first.ts'
import { MissingReporter } from './test/setup/missing-reporter.ts'

// What is compiled once is compiled for all processes: those of tests, and services as by `npm start`.
process.env.NODE_COMPILE_CACHE ??= path.join(os.tmpdir(), 'node-compile-cache')
const missing = path.join(os.tmpdir(), `marquee-missing-${process.pid}`)

/** Against servers and browsers that are not ours: what is not installed is skipped, and fails in CI. */
const servers = [
  'test/player/*.test.ts',
  'test/client/{in-browser,tus-in-browser}.test.ts',
  'test/tracker/in-browser*.test.ts',
  'test/syndication/in-browser.test.ts',
  'test/console/!(budget).test.ts',
  'test/interface/docs-page.test.ts',
  'test/events/clickhouse*.test.ts',
  'test/stories/{clickhouse,clickhouse-replicas,openid-in-browser,s3,s3-videos}.test.ts',
  'test/backup/move.test.ts',
  'test/platform/{objects-s3,limits-redis}.test.ts',
]
/** Kills, outages, full disks, and what is hostile, damaged or made wrong on purpose. */
const faults = [
  'test/{faults,attacks,hls-checker}/*.test.ts',
  'test/media/faults.test.ts',
  'test/media/video/damaged-*.test.ts',
  'test/media/subtitles/hostile.test.ts',
  'test/platform/postgres-lost-connections.test.ts',
]
/** What needs no database: rules by themselves, and media programs on files. */
const unit = [
  'test/{unit,analytics,videos,media}/**/*.test.ts',
  'test/events/{chains,duckdb*,feeder,oracle,report-queue,spool}.test.ts',
  'test/platform/{data-folder,limits-memory,objects-disk}.test.ts',
  'test/client/{budget,retries}.test.ts',
  'test/console/budget.test.ts',
  'test/tracker/{budget,events,passes,sending}.test.ts',
]

const lane = (
  name: string,
  include: string[],
  more: { exclude?: string[]; globalSetup?: string[]; isolate?: boolean } = {},
) => ({
  extends: true as const,
  test: { name, include, ...more },
})
/** Stories over several processes on engines by address, and what only several can show. */
const scale = ['test/scale/*.test.ts', 'test/stories/*.test.ts']
/** About one process and its folder, or on engines of their own. */
const ofOneProcess = [
  'test/stories/{command-line,demo,doctor,first-start,jobs,roles,s3,s3-videos,segment-statements,telemetry,two-processes,clickhouse,clickhouse-replicas}.test.ts',
  'test/stories/openid-in-browser.test.ts',
]

const DATABASE = { globalSetup: ['test/setup/database-server.ts'] }

export default defineConfig({
  test: {
    projects: process.env.MARQUEE_TEST_SCALE
      ? [lane('scale', scale, { exclude: ofOneProcess, globalSetup: ['test/setup/scale-engines.ts'] })]
      : [
          // Nothing of one file is seen by another: they need no process each.
          lane('unit', unit, { exclude: faults, isolate: false }),
          lane('stories', ['test/**/*.test.ts'], {
            ...DATABASE,
            exclude: [...unit, ...faults, ...servers, 'test/scale/*.test.ts'],
          }),
          lane('faults', faults, DATABASE),
          lane('servers', servers, DATABASE),
        ],
    reporters: [
      'default',
      new MissingReporter(missing),
      ...(process.env.MARQUEE_TEST_FAILED ? [new FailedFiles(process.env.MARQUEE_TEST_FAILED)] : []),
      ...(process.env.MARQUEE_FAULTS_TABLE ? [new FaultsTable()] : []),
    ],
    pool: 'forks',
    // One more than there are usually cores: much of a test is waiting.
    maxWorkers: process.env.MARQUEE_TEST_SCALE ? 2 : 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // What is waited for comes in its time; only a busy machine decides when.
    expect: { poll: { timeout: 60_000 } },
    // A service under test must not see the settings of the shell that runs the tests.
    env: { MARQUEE_TEST_MISSING: missing },
  },
})
