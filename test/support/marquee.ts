import { spawn } from 'node:child_process'
import path from 'node:path'
import { run } from '../../server/cli/run.ts'
import { COMPILE_CACHE, root } from './service.ts'

/** The command line on a data folder, and what it said. */
export const marquee = (dataDir: string, ...args: string[]) =>
  marqueeWith({ MARQUEE_DATA_DIR: dataDir }, ...args)

/** With all these settings. In this process: a start of Node takes longer than most commands. */
export async function marqueeWith(env: Record<string, string>, ...args: string[]) {
  let [out, err] = ['', '']
  const code = await run(args, {
    env,
    print: (text) => {
      out += text
    },
    complain: (message) => {
      err += `marquee: ${message}\n`
    },
  })
  return answerOf(code, out, err)
}

const MAIN = path.join(root, 'server/cli/main.ts')

/** The same as a program of its own, as somebody types it. */
export function marqueeProgram(dataDir: string, ...args: string[]) {
  return outcome(dataDir, [process.execPath, MAIN, ...args])
}

/** And on a terminal with so many columns, which gets all that it says. */
export function marqueeOnTerminal(dataDir: string, columns: number, ...args: string[]) {
  const typed = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ')
  return outcome(dataDir, ['script', '-qefc', `stty cols ${columns}; ${typed}`, '/dev/null'])
}

async function outcome(dataDir: string, [program, ...args]: string[]) {
  const child = spawn(program!, args, {
    env: { PATH: process.env.PATH, MARQUEE_DATA_DIR: dataDir, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise<number>((resolve) => child.once('close', resolve))
  return answerOf(code, out, err)
}

const answerOf = (code: number, out: string, err: string) => ({ code, out, err, json: () => JSON.parse(out) })

/** Begins a command as a program, and ends it at once after so long, or when this is so; false where it was done before. */
export async function killedCommand(
  env: Record<string, string>,
  when: number | (() => boolean),
  ...args: string[]
): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })
  const ended = new Promise<boolean>((resolve) => child.once('exit', (_, signal) => resolve(signal !== null)))
  const end = () => child.kill('SIGKILL')
  const timer = typeof when === 'number' ? setTimeout(end, when) : setInterval(() => when() && end(), 5)
  const wasKilled = await ended
  clearInterval(timer)
  return wasKilled
}
