import { spawn } from 'node:child_process'
import path from 'node:path'
import { collect, root } from './service.ts'
import { PROVIDERS } from './webhooks.ts'

export const INTERNAL_SECRET = 'known to both sides of the wall'

export interface TestComponent {
  url: string
  output(): string
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** `marquee billing`, as an operator starts it. */
export async function startComponent(
  databaseUrl: string,
  {
    port = 0,
    env = {},
    until = /ready\n/,
  }: { port?: number; env?: Record<string, string>; until?: RegExp } = {},
): Promise<TestComponent> {
  const child = spawn(process.execPath, [path.join(root, 'server/cli/main.ts'), 'billing'], {
    env: {
      PATH: process.env.PATH,
      MARQUEE_DATABASE_URL: databaseUrl,
      MARQUEE_BILLING_PORT: String(port),
      MARQUEE_BILLING_INTERNAL_SECRET: INTERNAL_SECRET,
      ...PROVIDERS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => until.test(output()) && resolve())
    child.once('exit', (code) => reject(new Error(`the component ended with ${code}:\n${output()}`)))
  })
  return {
    url: /http:\S+/.exec(output())![0],
    output,
    async stop() {
      child.kill('SIGINT')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
