import { parseArgs } from 'node:util'
import type { StorageLimits } from '../access/index.ts'
import { StartupError } from '../base/errors.ts'
import type { ReplayDeps } from '../billing/index.ts'
import type { JobQueue, JobRecords } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'

export interface Option {
  about: string
  /** How the value is called in the help. */
  value?: string
  /** Takes no value; where it is given, its value is `true`. */
  isFlag?: boolean
  required?: boolean
  fallback?: string
  /** May be given more than once. */
  several?: boolean
}

export interface Context {
  sql: Sql
  /** Where the public finds the service. */
  baseUrl: string
  /** How webhooks are understood. */
  billing: Omit<ReplayDeps, 'sql'>
  jobs: JobRecords
  /** What can be done about things that were deleted. */
  trash: { seconds: number; storageLimits: StorageLimits; jobs: Pick<JobQueue, 'enqueue'> }
  option(name: string): string
  /** Undefined where it was not given and has no fallback. */
  optional(name: string): string | undefined
}

export interface Command {
  /** What is typed, such as `keys create`. */
  name: string
  about: string
  options: Record<string, Option>
  /** Answers what is printed: rows as a table, one record as lines. */
  run(context: Context): Promise<object[] | object>
}

/** A program of its own, beside the commands that work on the database. */
export interface Server extends Omit<Command, 'run'> {
  /** What follows its name, where anything may: how it is called in the help. */
  files?: string
}

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

export interface Parsed {
  help: boolean
  json: boolean
  values: Record<string, string>
  /** Of options that may be given more than once. */
  lists: Record<string, string[]>
  files: string[]
}

/** Reads what follows the command's name; every mistake says what is accepted. */
export function parseOptions(command: Server, args: string[]): Parsed {
  const known = Object.fromEntries(
    Object.entries(command.options).map(([name, { several = false, isFlag }]) => [
      name,
      { type: isFlag ? ('boolean' as const) : ('string' as const), multiple: several },
    ]),
  )
  let given: Record<string, string | boolean | (string | boolean)[] | undefined>
  let files: string[]
  try {
    const parsed = parseArgs({
      args,
      options: { ...known, ...COMMON },
      allowPositionals: command.files !== undefined,
    })
    given = parsed.values
    files = parsed.positionals
  } catch (error) {
    throw new StartupError(`${(error as Error).message.split(/\.?\n|\. /)[0]}. See: ${typed(command)} --help`)
  }
  const { help = false, json = false, ...rest } = given
  const values: Record<string, string> = {}
  const lists: Record<string, string[]> = {}
  for (const [name, option] of Object.entries(command.options)) {
    const value = rest[name] === true ? 'true' : (rest[name] ?? option.fallback)
    if (typeof value === 'string') values[name] = value
    else if (Array.isArray(value)) lists[name] = value.map(String)
    else if (option.required && !help)
      throw new StartupError(`--${name} is missing. See: ${typed(command)} --help`)
  }
  return { help: Boolean(help), json: Boolean(json), values, lists, files }
}

function typed(command: Server): string {
  return `npm run marquee -- ${command.name}`
}

export function helpOf(command: Server): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const notes = [option.required && 'required', option.fallback && `default ${option.fallback}`].filter(
      Boolean,
    )
    return [
      option.isFlag ? `--${name}` : `--${name} <${option.value ?? name}>`,
      option.about + (notes.length ? ` (${notes.join(', ')})` : ''),
    ]
  })
  const rows = [...options, ['--json', 'Print JSON'], ['--help', 'Show this']]
  return `${command.about}.\n\nUsage: ${typed(command)}${command.files ? ` ${command.files}` : ''} [options]\n\n${columns(rows as string[][])}\n`
}

/** Text in columns, two spaces apart and indented. */
export function columns(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? []
  return rows
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd())
    .join('\n')
}
