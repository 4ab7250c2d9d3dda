import { parseArgs } from 'node:util'
import type { StorageLimits } from '../access/projects/show-current-project.ts'
import { StartupError } from '../base/errors.ts'
import type { ReplayDeps } from '../billing/replay-events.ts'
import type { JobQueue, JobRecords } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'

export interface Option {
  about: string
  /** How the value is called in the help; a flag without one takes no value. */
  value?: string
  required?: boolean
  fallback?: string
}

export interface Context {
  sql: Sql
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

/** A program of its own, which runs until it is stopped. */
export type Server = Omit<Command, 'run'>

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

export interface Parsed {
  help: boolean
  json: boolean
  values: Record<string, string>
}

/** Reads what follows the command's name; every mistake says what is accepted. */
export function parseOptions(command: Server, args: string[]): Parsed {
  const known = Object.fromEntries(
    Object.keys(command.options).map((name) => [name, { type: 'string' as const }]),
  )
  let given: Record<string, string | boolean | undefined>
  try {
    given = parseArgs({ args, options: { ...known, ...COMMON }, allowPositionals: false }).values
  } catch (error) {
    throw new StartupError(`${(error as Error).message.split(/\.?\n|\. /)[0]}. See: ${typed(command)} --help`)
  }
  const { help = false, json = false, ...rest } = given
  const values: Record<string, string> = {}
  for (const [name, option] of Object.entries(command.options)) {
    const value = rest[name] ?? option.fallback
    if (typeof value === 'string') values[name] = value
    else if (option.required && !help)
      throw new StartupError(`--${name} is missing. See: ${typed(command)} --help`)
  }
  return { help: Boolean(help), json: Boolean(json), values }
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
      `--${name} <${option.value ?? name}>`,
      option.about + (notes.length ? ` (${notes.join(', ')})` : ''),
    ]
  })
  const rows = [...options, ['--json', 'Print JSON'], ['--help', 'Show this']]
  return `${command.about}.\n\nUsage: ${typed(command)} [options]\n\n${columns(rows as string[][])}\n`
}

/** Text in columns, two spaces apart and indented. */
export function columns(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? []
  return rows
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd())
    .join('\n')
}
