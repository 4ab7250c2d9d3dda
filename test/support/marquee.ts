import { spawn } from 'node:child_process'
import path from 'node:path'
import { COMPILE_CACHE, root } from './service.ts'

/** The command line on a data folder, and what it said. */
export async function marquee(dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, [path.join(root, 'server/cli/main.ts'), ...args], {
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
  return { code, out, err, json: () => JSON.parse(out) }
}
