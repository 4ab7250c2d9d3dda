import { ERASE_EVENTS } from '../analytics/index.ts'
import { Refusal, StartupError } from '../base/errors.ts'
import { readPrices } from '../billing/index.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { storageLimitsOf } from '../config/plans.ts'
import { REMOVE_FEED } from '../feeds/index.ts'
import { OPTIMISE } from '../images/index.ts'
import { postgresJobs } from '../platform/jobs/postgres.ts'
import { jobRecords } from '../platform/jobs/records.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { examine } from '../start/doctor/examine.ts'
import { openBillingHere } from '../start/engines/billing.ts'
import { connectDatabase, type Database } from '../start/engines/database.ts'
import { reachDatabase } from '../start/engines/reach-database.ts'
import { readQuickstart } from '../start/quickstart.ts'
import { FILL } from '../transcoding/index.ts'
import { type Command, columns, helpOf, type Parsed, parseOptions } from './command.ts'
import { commands } from './commands.ts'
import { DEMO, sizeOf, wordsOfDemo } from './demo/command.ts'
import { DOCTOR, isWell, wordsOf } from './doctor.ts'
import { KEEPING, type KeepingCommand } from './keeping/commands.ts'
import { progressOn } from './keeping/progress.ts'
import { LISTEN, listen } from './listen.ts'
import { theOrganization } from './lookups.ts'
import { BILLING, serveBilling } from './serve-billing.ts'
import { runUpload, UPLOAD } from './upload.ts'

const HELP = `The command line of Marquee, for the person who runs it.

Usage: npm run marquee -- <command> [options]

${columns([...commands, UPLOAD, LISTEN, DEMO, ...KEEPING, DOCTOR, BILLING].map(({ name, about }) => [name, about]))}

Every command takes --json and --help. It works while the service runs, and while it does not.
`

/** What a command is run with: its settings, and where it says what. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  print(text: string): void
  complain(message: string): void
}

/** Runs one command and answers the exit code. */
export async function run(args: string[], around: Surroundings): Promise<number> {
  try {
    return await runCommand(args, around)
  } catch (error) {
    if (error instanceof StartupError) around.complain(error.message)
    else if (error instanceof Refusal) around.complain(error.details ?? error.message)
    else around.complain(`could not be done: ${(error as Error).message}`)
    return 1
  }
}

async function runCommand(args: string[], around: Surroundings): Promise<number> {
  const { env, complain } = around
  // The command is two words; options may stand before, between or after them.
  const words = args.filter((word, i) => !word.startsWith('-') && !takesValue(args[i - 1])).slice(0, 2)
  if (words.length === 0 || words[0] === 'help') return show(HELP, around)
  if (words[0] === UPLOAD.name) return upload(withoutWords(args, [UPLOAD.name]), around)
  if (words[0] === DEMO.name) return demo(withoutWords(args, [DEMO.name]), around)
  if (words[0] === DOCTOR.name) return doctor(withoutWords(args, [DOCTOR.name]), around)
  const keeping = KEEPING.find(({ name }) => name === words[0])
  if (keeping) return keep(keeping, withoutWords(args, [keeping.name]), around)
  if (words.join(' ') === LISTEN.name) return listenAndPass(withoutWords(args, words), around)
  const command = commands.find(({ name }) => name === words.join(' '))
  const asked = command ?? (words.join(' ') === BILLING.name ? BILLING : undefined)
  if (!asked) throw new StartupError(unknown(words))
  const { help, json, values } = parseOptions(asked, withoutWords(args, words))
  if (help) return show(helpOf(asked), around)
  const config = loadConfig(env)
  if (!command) {
    await runBilling(config, complain)
    return 0
  }

  const database = await reachDatabase(config, complain)
  try {
    const result = await command.run(contextOf(database, values, config))
    return show(json ? `${JSON.stringify(result, null, 2)}\n` : asText(result), around)
  } finally {
    await database.close()
  }
}

function show(text: string, { print }: Surroundings): number {
  print(text)
  return 0
}

async function upload(args: string[], around: Surroundings): Promise<number> {
  const { env, print, complain } = around
  const parsed = parseOptions(UPLOAD, args)
  if (parsed.help) return show(helpOf(UPLOAD), around)
  const rows = await runUpload({ ...parsed, ...serviceToCall(parsed, loadConfig(env)) })
  const made = rows.filter((row) => 'id' in row)
  if (parsed.json) print(`${JSON.stringify(rows, null, 2)}\n`)
  else if (made.length > 0) print(asText(made))
  for (const row of rows) if ('error' in row) complain(`${row.file}: ${row.error}`)
  return made.length < rows.length ? 1 : 0
}

/** Until it is interrupted. */
async function listenAndPass(args: string[], around: Surroundings): Promise<number> {
  const { env, print } = around
  const parsed = parseOptions(LISTEN, args)
  if (parsed.help) return show(helpOf(LISTEN), around)
  const ended = new AbortController()
  const end = () => ended.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const { to, kinds = '', secret } = parsed.values
  await listen({
    ...serviceToCall(parsed, loadConfig(env)),
    to: to!,
    kinds: kinds.split(',').filter(Boolean),
    secret,
    print: (line) => print(`${line}\n`),
    signal: ended.signal,
  })
  return 0
}

/** Makes a demo on the service whose data folder is here, or takes it away. */
async function demo(args: string[], around: Surroundings): Promise<number> {
  const { env, complain } = around
  const parsed = parseOptions(DEMO, args)
  if (parsed.help) return show(helpOf(DEMO), around)
  const size = sizeOf(parsed)
  const config = loadConfig(env)
  const { url } = addressToCall(parsed, config)
  const database = await reachDatabase(config, complain)
  try {
    const { sql } = database
    const { dataDir, ffmpeg } = config
    const named = parsed.values.org
    const orgId = named ? await theOrganization(sql, named) : undefined
    // Loads libraries for drawing, which no other command waits for.
    const { removeDemo, runDemo } = await import('./demo/index.ts')
    const result = parsed.values.remove
      ? await removeDemo({ context: contextOf(database, parsed.values, config), dataDir, url })
      : await runDemo({ sql, dataDir, url, ffmpeg, orgId, ...size })
    return show(parsed.json ? `${JSON.stringify(result, null, 2)}\n` : wordsOfDemo(result), around)
  } finally {
    await database.close()
  }
}

async function doctor(args: string[], around: Surroundings): Promise<number> {
  const { help, json } = parseOptions(DOCTOR, args)
  if (help) return show(helpOf(DOCTOR), around)
  const findings = await examine(around.env, baseUrlOf)
  around.print(json ? `${JSON.stringify(findings, null, 2)}\n` : wordsOf(findings))
  return isWell(findings) ? 0 : 1
}

/** What is done with all of an installation. What is wrong with what was looked at is an answer as well. */
async function keep(command: KeepingCommand, args: string[], around: Surroundings): Promise<number> {
  const parsed = parseOptions(command, args)
  if (parsed.help) return show(helpOf(command), around)
  const { show: progress, close } = progressOn()
  let result: object | object[]
  try {
    result = await command.run({ config: loadConfig(around.env), tell: around.complain, progress }, parsed)
  } finally {
    close()
  }
  show(parsed.json ? `${JSON.stringify(result, null, 2)}\n` : asText(result), around)
  const { problems = [] } = result as { problems?: string[] }
  for (const problem of problems) around.complain(problem)
  return problems.length > 0 ? 1 : 0
}

/** As told, or else that of the service whose data folder is here. */
function addressToCall({ values }: Parsed, config: Config) {
  const here = values.url ? undefined : readQuickstart(config.dataDir)
  const url = values.url ?? baseUrlOf(config)
  return { url: url.replace(/\/+$/, ''), keyOfHere: here?.base_url === url ? here.api_key : undefined }
}

/** Its key is sent to no other address. */
function serviceToCall(parsed: Parsed, config: Config): { url: string; key: string } {
  const { values } = parsed
  const { url, keyOfHere } = addressToCall(parsed, config)
  const key = values.key ?? config.apiKey ?? keyOfHere
  if (!key) throw new StartupError('no key: give one with --key, or set MARQUEE_API_KEY.')
  return { url, key }
}

/** As told, or as the service wrote it down when it last started. */
function baseUrlOf({ baseUrl, dataDir, port }: Config): string {
  return baseUrl ?? readQuickstart(dataDir)?.base_url ?? `http://localhost:${port}`
}

const FLAGS = ['--json', '--help', '-h', '--remove', '--force']

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
    baseUrl: baseUrlOf(config),
    billing: { prices: readPrices(config.billingPrices), graceSeconds: config.billingGraceSeconds },
    jobs: jobRecords(sql),
    trash: {
      seconds: config.trashLifetimeSeconds,
      storageLimits: storageLimitsOf(config),
      jobs: postgresJobs(sql, { queues: [FILL, OPTIMISE, REMOVE_FEED, ERASE_EVENTS], onError: () => {} }),
    },
    option: (name) => values[name]!,
    optional: (name) => values[name],
  }
}

/** Uses a database that somebody else runs: one that is not there yet is waited for. */
async function runBilling(config: Config, complain: (message: string) => void): Promise<void> {
  const database = connectDatabase(config)
  await serveBilling({
    host: config.billingHost,
    port: config.billingPort,
    secret: config.billingInternalSecret,
    requestTimeoutSeconds: config.requestTimeoutSeconds,
    drainSeconds: config.drainTimeoutSeconds,
    database,
    prepare: () => migrate(database.sql),
    open: (onError) => openBillingHere(config, database.sql, { onError, onTrouble: complain }),
    say: complain,
  })
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
