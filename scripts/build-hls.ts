import path from 'node:path'
import { rolldown } from 'rolldown'

/** What of hls.js is built in. No playlist of the service has the rest, which is a fifth of its weight. */
const PARTS = {
  __USE_ALT_AUDIO__: true,
  __USE_SUBTITLES__: true,
  __USE_M2TS_ADVANCED_CODECS__: true,
  __USE_MEDIA_CAPABILITIES__: true,
  __USE_VARIABLE_SUBSTITUTION__: true,
  __USE_CONTENT_STEERING__: true,
  __USE_EME_DRM__: false,
  __USE_CMCD__: false,
  __USE_INTERSTITIALS__: false,
  __USE_IFRAMES__: false,
}

export interface Bundled {
  code: string
  /** The addresses of the modules that it is made of. */
  moduleIds: string[]
}

/** hls.js from its own sources, as its makers build it, but without what is not used. */
export async function buildHls(): Promise<Bundled> {
  const folder = path.dirname(path.dirname(new URL(import.meta.resolve('hls.js')).pathname))
  const { default: about } = await import('hls.js/package.json', { with: { type: 'json' } })
  const made = await rolldown({
    input: path.join(folder, 'src/hls.ts'),
    plugins: [
      {
        name: 'leave-out',
        // It is imported by name even where it is not built in.
        resolveId: (id) => (id.endsWith('/cmcd-controller') ? '\0nothing' : undefined),
        load: (id) => (id === '\0nothing' ? 'export default undefined' : undefined),
      },
    ],
    transform: {
      target: 'es2022',
      define: {
        ...Object.fromEntries(Object.entries(PARTS).map(([name, isIn]) => [name, String(isIn)])),
        __VERSION__: JSON.stringify(about.version),
        __HLS_WORKER_BUNDLE__: 'undefined',
        __IN_WORKER__: 'false',
      },
      // Its classes are written for a compiler that takes a field without a value for a type alone.
      assumptions: { setPublicClassFields: true },
      typescript: { removeClassFieldsWithoutInitializer: true },
    },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`hls.js: ${log.message}`)
    },
  })
  const { output } = await made.generate({ format: 'esm', minify: true, comments: false })
  await made.close()
  return output[0]
}
