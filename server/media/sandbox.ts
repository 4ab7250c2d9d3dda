import { spawnSync } from 'node:child_process'
import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { canUse, commonFolder, isOpenToAll, UNPRIVILEGED_UID } from './unprivileged-user.ts'

/** What a program that handles other people's files may touch, and how much of it. */
export interface Confinement {
  /** Files and folders it may read besides the system's own programs and libraries. */
  readOnly: string[]
  input?: string
  outputDir?: string
  env?: Record<string, string>
  limits?: {
    cpuSeconds?: number
    fileSizeBytes?: number
    addressSpaceBytes?: number
    openFiles?: number
  }
  nice?: number
}

/** For `spawn(file, args, { ...options, stdio })`. */
export interface ConfinedCommand {
  file: string
  args: string[]
  options: { env: Record<string, string>; cwd: string; uid?: number; gid?: number; detached: true }
}

export interface Sandbox {
  /** Full; or only limits on what a program may use up; or nothing at all. */
  kind: 'bubblewrap' | 'limits' | 'none'
  /** Whether files the program leaves in its /tmp can be bounded. */
  boundedTmp: boolean
  /** One line for the log when the sandbox is not the full one. */
  warning?: string
}

const TMP_BYTES = 64 * 2 ** 20
const PATH = '/usr/local/bin:/usr/bin:/bin'

let detected: Sandbox | undefined

/** Tries out, once, what this machine offers. */
export function detectSandbox(): Sandbox {
  detected ??= probe()
  return detected
}

function probe(): Sandbox {
  const candidates: Sandbox[] = [
    { kind: 'bubblewrap', boundedTmp: true },
    { kind: 'bubblewrap', boundedTmp: false },
    {
      kind: 'limits',
      boundedTmp: false,
      warning:
        'bubblewrap (bwrap) is missing or may not run here: images and videos are decoded with limits on memory, time and file size, but not cut off from the network and from other files',
    },
  ]
  const works = (sandbox: Sandbox) => {
    const { file, args, options } = sandboxed(
      'true',
      [],
      { readOnly: [], limits: { openFiles: 64 } },
      sandbox,
    )
    return spawnSync(file, args, { ...options, stdio: 'ignore', timeout: 10_000 }).status === 0
  }
  return (
    candidates.find(works) ?? {
      kind: 'none',
      boundedTmp: false,
      warning:
        'neither bubblewrap (bwrap) nor prlimit runs here: images and videos are decoded without a sandbox; install both',
    }
  )
}

/**
 * The command line that runs a program so that it can hurt nobody. Every path it is given keeps its
 * name inside, so the arguments read the same with and without the sandbox.
 */
export function sandboxed(
  program: string,
  args: string[],
  confinement: Confinement,
  sandbox: Sandbox = detectSandbox(),
): ConfinedCommand {
  const env = { PATH, LC_ALL: 'C', ...confinement.env }
  let command = confinement.nice ? withLowPriority(confinement.nice, [program, ...args]) : [program, ...args]
  let options: ConfinedCommand['options'] = { env, cwd: '/', detached: true }
  if (sandbox.kind === 'bubblewrap')
    command = ['bwrap', ...walls(confinement, env, sandbox.boundedTmp), '--', ...command]
  else if (process.getuid?.() === 0) ({ command, options } = asStranger(command, confinement, options))
  if (sandbox.kind !== 'none') command = ['prlimit', ...limits(confinement.limits), '--', ...command]
  if (confinement.nice) command = ['nice', '-n', String(confinement.nice), ...command]
  const [file, ...rest] = command
  return { file: file!, args: rest, options }
}

/**
 * Where the system shares out time by sessions, a program's own niceness counts only within its session;
 * so the session, which is the program's own, is made as nice as it.
 */
function withLowPriority(nice: number, command: string[]): string[] {
  const script = '{ echo "$0" > /proc/self/autogroup; } 2> /dev/null; exec "$@"'
  return ['sh', '-c', script, String(nice), ...command]
}

function limits({ cpuSeconds, fileSizeBytes, addressSpaceBytes, openFiles }: Confinement['limits'] = {}) {
  const given = { cpu: cpuSeconds, fsize: fileSizeBytes, as: addressSpaceBytes, nofile: openFiles, core: 0 }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

function walls(
  { readOnly, input, outputDir }: Confinement,
  env: Record<string, string>,
  boundedTmp: boolean,
): string[] {
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', ...SYSTEM_LINKS.flatMap(systemFolder)],
    ...['/etc/alternatives', '/etc/ld.so.cache'].flatMap((file) => ['--ro-bind-try', file, file]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...(boundedTmp ? ['--size', String(TMP_BYTES)] : []),
    ...['--tmpfs', '/tmp'],
    ...[...readOnly, ...(input ? [input] : [])].flatMap((file) => ['--ro-bind', file, file]),
    ...(outputDir ? ['--bind', outputDir, outputDir] : []),
    // Both are kept in memory, which a file written there would use up.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/'],
  ]
}

const SYSTEM_LINKS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** On most systems these are links into /usr, on some still folders of their own. */
function systemFolder(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return ['--symlink', readlinkSync(folder), folder]
  return found ? ['--ro-bind', folder, folder] : []
}

/**
 * Root without bubblewrap hands the program to an account that owns nothing, as long as that account
 * can get at the files. The code is reached through the working folder, which also leads into a
 * checkout that only root may enter.
 */
function asStranger(command: string[], confinement: Confinement, options: ConfinedCommand['options']) {
  const { readOnly, input, outputDir } = confinement
  const home = commonFolder(readOnly)
  const canRun = [home, ...readOnly].every(isOpenToAll)
  if (!canRun || (input && !canUse(input, 'read')) || (outputDir && !canUse(outputDir, 'write')))
    return { command, options }
  const throughHome = (text: string) =>
    readOnly.some((file) => text === file || text.startsWith(`${file}/`))
      ? path.join('/proc/self/cwd', path.relative(home, text))
      : text
  return {
    command: command.map(throughHome),
    options: { ...options, cwd: home, uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID },
  }
}
