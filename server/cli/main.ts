import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  print: (text) => void process.stdout.write(text),
  complain: (message) => void process.stderr.write(`marquee: ${message}\n`),
})
