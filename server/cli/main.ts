import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, StartupError } from '../base/errors.ts'
import { readPrices } from '../billing/providers.ts'
import { type Config, loadConfig } from '../config.ts'
import { openBillingHere } from '../engines/billing.ts'
import { connectDatabase, type Database, openDatabase } from '../engines/database.ts'
import { REMOVE_FEED } from '../feeds/remove-feed.ts'
import { OPTIMISE } from '../images/optimise-image.ts'
import { storageLimitsOf } from '../plans.ts'
import { lockDataFolder, prepareDataFolder } from '../platform/data-folder/data-folder.ts'
import { postgresJobs } from '../platform/jobs/postgres.ts'
import { jobRecords } from '../platform/jobs/records.ts'
import { hasOtherClients, isOutage } from '../platform/postgres/client.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { FILL } from '../playback/hls/fill-video.ts'
import { type Command, columns, helpOf, parseOptions } from './command.ts'
import { commands } from './commands.ts'
import { BILLING, serveBilling } from './serve-billing.ts'

const HELP = `The command line of Marquee, for the person who runs it.

Usage: npm run marquee -- <command> [options]

${columns([...commands, BILLING].map(({ name, about }) => [name, about]))}

Every command takes --json and --help. It works while the service runs, and while it does not.
`

async function main(args: string[]): Promise<void> {
  // The command is two words; options may stand before, between or after them.
  const words = args.filter((word, i) => !word.startsWith('-') && !takesValue(args[i - 1])).slice(0, 2)
  if (words.length === 0 || words[0] === 'help') return print(HELP)
  const command = commands.find(({ name }) => name === words.join(' '))
  const asked = command ?? (words.join(' ') === BILLING.name ? BILLING : undefined)
  if (!asked) throw new StartupError(unknown(words))
  const { help, json, values } = parseOptions(asked, withoutWords(args, words))
  if (help) return print(helpOf(asked))
  const config = loadConfig(process.env)
  if (!command) return runBilling(config)

  const database = await untilReachable(config)
  try {
    const result = await command.run(contextOf(database, values, config))
    print(json ? `${JSON.stringify(result, null, 2)}\n` : asText(result))
  } finally {
    await database.close()
  }
}

const FLAGS = ['--json', '--help', '-h']

function takesValue(option: string | undefined): boolean {
  return Boolean(option?.startsWith('--')) && !option!.includes('=') && !FLAGS.includes(option!)
}

function withoutWords(args: string[], words: string[]): string[] {
  const rest = [...args]
  for (const word of words) rest.splice(rest.indexOf(word), 1)
  return rest
}

function unknown(words: string[]): string {
  const sameNoun = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name)
  const hint = sameNoun.length > 0 ? `There is: ${sameNoun.join(', ')}.` : 'See: npm run marquee -- --help'
  return `"${words.join(' ')}" is not a command. ${hint}`
}

function contextOf(
  { sql }: Database,
  values: Record<string, string>,
  config: Config,
): Parameters<Command['run']>[0] {
  return {
    sql,
    billing: { prices: readPrices(config.billingPrices), graceSeconds: config.billingGrace },
    jobs: jobRecords(sql),
    trash: {
      seconds: config.trashLifetime,
      storageLimits: storageLimitsOf(config),
      jobs: postgresJobs(sql, { queues: [FILL, OPTIMISE, REMOVE_FEED], onError: () => {} }),
    },
    option: (name) => values[name]!,
    optional: (name) => values[name],
  }
}

/** Uses a database that somebody else runs: one that is not there yet is waited for. */
async function runBilling(config: Config): Promise<void> {
  const database = connectDatabase(config)
  await serveBilling({
    host: config.billingHost,
    port: config.billingPort,
    secret: config.billingInternalSecret,
    requestTimeoutSeconds: config.requestTimeout,
    drainSeconds: config.drainTimeout,
    database,
    prepare: () => migrate(database.sql),
    open: (onError) => openBillingHere(config, database.sql, { onError, onTrouble: complain }),
    say: complain,
  })
}

/** Another command may be starting or stopping the database this very moment; that passes. */
async function untilReachable(config: Config): Promise<Database> {
  for (const deadline = Date.now() + 20_000; ; await sleep(100)) {
    const database = await reachDatabase(config)
    try {
      await database.sql`select 1`
      return database
    } catch (error) {
      await database.close()
      if (!isOutage(error) || Date.now() > deadline) throw error
    }
  }
}

/** The database of the running service, or, where none runs, one started for the length of the command. */
async function reachDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl) return connectDatabase(config)
  if (!existsSync(path.join(config.dataDir, 'quickstart.json')))
    throw new StartupError(
      `there is no Marquee in ${config.dataDir} yet. Start it once with npm start, or set MARQUEE_DATA_DIR to where it is.`,
    )
  prepareDataFolder(config.dataDir)
  const lock = await lockDataFolder(config.dataDir)
  if ('heldBy' in lock) return connectDatabase(config)
  const database = await openDatabase(config, complain)
  await migrate(database.sql)
  return {
    sql: database.sql,
    async close() {
      // Other commands may have come to use it meanwhile.
      while (await hasOtherClients(database.sql)) await sleep(50)
      await database.close()
      await lock.release()
    },
  }
}

function asText(result: object[] | object): string {
  if (!Array.isArray(result)) return `${columns(Object.entries(result).map(([k, v]) => [k, shown(v)]))}\n`
  if (result.length === 0) return '  (none)\n'
  const names = [...new Set(result.flatMap((row) => Object.keys(row)))]
  return `${columns([names, ...result.map((row) => names.map((name) => shown(row[name as never])))])}\n`
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(',') || '-'
  return value === undefined || value === null || value === '' ? '-' : String(value)
}

function print(text: string): void {
  process.stdout.write(text)
}

function complain(message: string): void {
  process.stderr.write(`marquee: ${message}\n`)
}

await main(process.argv.slice(2)).catch((error) => {
  if (error instanceof StartupError) complain(error.message)
  else if (error instanceof Refusal) complain(error.details ?? error.message)
  else complain(`could not be done: ${(error as Error).message}`)
  process.exitCode = 1
})
