import { spawn } from 'node:child_process'
import path from 'node:path'
import { run } from '../../server/cli/run.ts'
import { COMPILE_CACHE, root } from './service.ts'

/** The command line on a data folder, and what it said. In this process: a start of Node takes longer than most commands. */
export async function marquee(dataDir: string, ...args: string[]) {
  let [out, err] = ['', '']
  const code = await run(args, {
    env: { MARQUEE_DATA_DIR: dataDir },
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
