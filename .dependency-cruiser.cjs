/** The rooms of the house and their doors. See ARCHITECTURE.md. */
const SLICES = [
  'access',
  'uploads',
  'images',
  'transcoding',
  'videos',
  'delivery',
  'feeds',
  'syndication',
  'library',
  'analytics',
  'billing',
  'webhooks',
  'sdk',
  'console',
]
const BESIDE = ['analytics', 'billing', 'webhooks', 'sdk', 'console']

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'config-is-passed-in',
      comment: 'The environment is read once, by the programs; everything else gets plain values.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/(start|config)/|^server/cli/run\\.ts$',
      },
      to: { path: '^server/config/' },
    },
    {
      name: 'only-engines-and-compose-choose-adapters',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/start/|^server/cli/run\\.ts$|^server/platform/',
      },
      to: {
        path: '^server/platform/',
        pathNot:
          '/(port|errors)\\.ts$|^server/platform/(postgres/client|events/(fields|line|rows|calendar))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'base-knows-nobody',
      severity: 'error',
      from: { path: '^server/base/' },
      to: { path: '^server/', pathNot: '^server/base/' },
    },
    {
      name: 'engines-know-no-slice',
      severity: 'error',
      from: { path: '^server/(platform|media)/' },
      to: { path: `^server/(http|cli|${SLICES.join('|')})/` },
    },
    {
      name: 'media-knows-no-sql',
      severity: 'error',
      from: { path: '^server/media/' },
      to: { path: '^server/platform/|^node_modules/(fastify|pg)/' },
    },
    {
      name: 'http-knows-no-slice',
      severity: 'error',
      from: { path: '^server/http/' },
      to: { path: `^server/(cli|media|${SLICES.join('|')})/` },
    },
    {
      name: 'a-slice-has-one-door',
      comment: 'What other rooms may use of a slice is in its index.ts.',
      severity: 'error',
      from: { path: `^server/(${SLICES.join('|')}|backup|cli|http|start|config)/` },
      to: { path: `^server/(${SLICES.join('|')})/`, pathNot: '^server/$1/|/index\\.ts$' },
    },
    {
      name: 'a-door-is-for-others',
      severity: 'error',
      from: { path: `^server/(${SLICES.join('|')})/` },
      to: { path: '^server/$1/index\\.ts$' },
    },
    ...SLICES.map((slice, i) => ({
      name: `${slice}-imports-only-lower-slices`,
      comment:
        'Slices have an order; analytics, billing, sdk and console stand beside the others, on access.',
      severity: 'error',
      from: { path: `^server/${slice}/` },
      to: {
        path: `^server/(${[...(BESIDE.includes(slice) ? SLICES.slice(1, i) : []), ...SLICES.slice(i + 1), 'nothing'].join('|')})/`,
      },
    })),
    {
      name: 'use-cases-see-no-fastify',
      comment: 'A use case takes what it needs; only routes and schemas speak HTTP.',
      severity: 'error',
      from: { path: `^server/(${SLICES.join('|')})/`, pathNot: '(routes|schemas)\\.ts$' },
      to: { path: '^node_modules/fastify/|^server/http/', pathNot: '^server/http/pagination\\.ts$' },
    },
    {
      name: 'no-test-code-in-the-service',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'a-package-stands-alone',
      comment: 'It is published and runs in pages: nothing of the service comes with it.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        // What is bundled into the player, and the library that its component is for.
        pathNot: '^packages/$1/|^node_modules/(hls\\.js|media-chrome|thumbhash|react|@types/react)/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'a-package-runs-everywhere',
      comment: 'Only what is in its entry for Node may use Node.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/[^/]+/src/node\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'a-package-has-its-entries',
      comment: 'The command line uses the client as others do; nothing else of the service does.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^packages/', pathNot: '^packages/[^/]+/src/(index|node)\\.ts$' },
    },
    {
      name: 'only-the-command-line-is-a-client',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/cli/' },
      to: { path: '^packages/' },
    },
    {
      name: 'not-a-dev-dependency',
      severity: 'error',
      from: { path: '^server/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
