import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../config/config.ts'
import { detectSandbox } from '../../media/sandbox.ts'
import { prepareDataFolder } from '../../platform/data-folder/data-folder.ts'
import { type Check, type Finding, fail, ok, warn } from './check.ts'

const run = promisify(execFile)
const GIB = 2 ** 30
/** A film is made in pieces of this disk; below the second, uploads are refused soon. */
const DISK = { little: 10 * GIB, least: GIB }
const OLDEST_NODE = 24

const installed = (setting: string) =>
  `Install it with: apt-get install ffmpeg — or say where it is by ${setting}`
const SANDBOX = 'Install it with: apt-get install bubblewrap — in a container, allow user namespaces'
const READABLE = 'Look whether you may read the data folder'

/** What this machine brings: programs, the folder, the disk. */
export function machineChecks(config: Config): Check[] {
  return [
    { name: 'node', todo: '', look: checkNode },
    { name: 'ffmpeg', todo: installed('MARQUEE_FFMPEG'), look: () => checkEncoder(config.ffmpeg) },
    {
      name: 'ffprobe',
      todo: installed('MARQUEE_FFPROBE'),
      look: async () => ok(await versionOf(config.ffprobe)),
    },
    { name: 'sandbox', todo: SANDBOX, look: checkSandbox },
    {
      name: 'data folder',
      todo: 'Set MARQUEE_DATA_DIR to a folder that you may write to',
      look: () => checkFolder(config.dataDir),
    },
    { name: 'disk', todo: 'Look at it: df -h', look: () => checkDisk(config.dataDir) },
    { name: 'events set aside', todo: READABLE, look: () => checkAside(config.dataDir) },
  ]
}

function checkNode(): Finding {
  const found = `${process.version} on ${process.platform} ${process.arch}`
  if (Number.parseInt(process.version.slice(1), 10) >= OLDEST_NODE) return ok(found)
  return fail(found, `Run it by: npm run marquee -- doctor (it brings Node ${OLDEST_NODE} along)`)
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await run(program, ['-version'])
  return stdout.split('\n')[0]!.replace(/ Copyright.*/, '')
}

async function checkEncoder(program: string): Promise<Finding> {
  const version = await versionOf(program)
  const { stdout } = await run(program, ['-v', 'error', '-encoders'])
  const missing = ['libx264', 'aac'].filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout))
  if (missing.length === 0) return ok(version)
  return fail(
    `${version}, built without ${missing.join(' and ')}`,
    'Install that of Debian: apt-get install ffmpeg',
  )
}

function checkSandbox(): Finding {
  const { kind, warning } = detectSandbox()
  if (!warning) return ok(kind)
  return warn(warning, SANDBOX)
}

function checkFolder(folder: string): Finding {
  if (!existsSync(folder)) return warn(`${folder} is not there yet`, 'Make it by starting once: npm start')
  prepareDataFolder(folder)
  const { mode, uid } = statSync(folder)
  if ((mode & 0o077) !== 0)
    return warn(`${folder} can be read by others of this machine`, `Close it: chmod 700 ${folder}`)
  if (process.getuid?.() !== 0 && uid !== process.getuid?.())
    return fail(`${folder} belongs to somebody else`, `Give it to yourself: chown -R $(id -u) ${folder}`)
  return ok(folder)
}

function checkDisk(folder: string): Finding {
  const nearest = existsSync(folder) ? folder : path.dirname(folder)
  const { bavail, bsize, ffree, files } = statfsSync(nearest)
  const free = bavail * bsize
  const found = `${(free / GIB).toFixed(1)} GiB free`
  if (files > 0 && ffree < 10_000)
    return fail(`only ${ffree} more files fit`, 'Move the data folder to another disk')
  if (free < DISK.least) return fail(found, 'Make room: uploads are refused when it is full')
  return free < DISK.little ? warn(found, 'Make room soon') : ok(found)
}

function checkAside(folder: string): Finding {
  const aside = path.join(folder, 'events', 'rejected')
  const count = existsSync(aside) ? readdirSync(aside).length : 0
  if (count === 0) return ok('none')
  return warn(`${count} requests with events that could not be loaded`, `Look at them: ls ${aside}`)
}
