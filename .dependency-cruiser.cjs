/** The rooms of the house and their doors. See ARCHITECTURE.md. */
const SLICES = 'access|uploads|images|videos|playback|feeds|analytics|billing'

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
        pathNot: '^server/(main|compose|plans|config)\\.ts$|^server/engines/|^server/cli/main\\.ts$',
      },
      to: { path: '^server/config\\.ts$' },
    },
    {
      name: 'only-engines-and-compose-choose-adapters',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/(compose|main)\\.ts$|^server/engines/|^server/cli/main\\.ts$|^server/platform/',
      },
      to: {
        path: '^server/platform/',
        pathNot:
          '/(port|errors)\\.ts$|^server/platform/(postgres/client|events/(fields|line|calendar))\\.ts$',
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
      to: { path: `^server/(http|cli|${SLICES})/` },
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
      to: { path: `^server/(cli|media|${SLICES})/` },
    },
    {
      name: 'a-store-is-its-slice’s-own',
      comment: 'Slices call each other’s use cases, never each other’s SQL.',
      severity: 'error',
      from: { path: `^server/(${SLICES}|cli|http)/` },
      to: { path: '/store\\.ts$', pathNot: '^server/$1/' },
    },
    {
      name: 'use-cases-see-no-fastify',
      comment: 'A use case takes what it needs; only routes and schemas speak HTTP.',
      severity: 'error',
      from: { path: `^server/(${SLICES})/`, pathNot: '/(routes|schemas)\\.ts$' },
      to: { path: '^node_modules/fastify/|^server/http/', pathNot: '^server/http/pagination\\.ts$' },
    },
    {
      name: 'no-test-code-in-the-service',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(test|bench|scripts)/' },
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
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
