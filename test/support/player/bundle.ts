import path from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../service.ts'
import type { Stage } from './stage.ts'

const ENTRY = path.join(root, 'test/app.jsx')

/** An app as a bundler makes it of this code, on the site; answers its script's tag. */
export async function serveApp(stage: Stage, code: string): Promise<string> {
  const made = await rolldown({
    input: ENTRY,
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? { code, moduleType: 'jsx' } : undefined),
      },
    ],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await made.generate({
    format: 'esm',
    entryFileNames: 'app.js',
    chunkFileNames: '[name].js',
  })
  await made.close()
  for (const file of output)
    if (file.type === 'chunk')
      stage.serve(`/${file.fileName}`, (response) =>
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(file.code),
      )
  return '<script type="module" src="/app.js"></script>'
}
