import { expect, test } from 'vitest'
import { loadConfig, settings } from '../../server/config/config.ts'

test('defaults, and what the environment changes', () => {
  expect(loadConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    freePerHour: 100,
    corsOrigins: ['*'],
  })
  expect(
    loadConfig({
      MARQUEE_PORT: '9000',
      MARQUEE_STORAGE_FREE: '5MiB',
      MARQUEE_BASE_URL: 'https://a.example/',
    }),
  ).toMatchObject({
    port: 9000,
    freeStorageBytes: 5 * 2 ** 20,
    baseUrl: 'https://a.example',
  })
  expect(loadConfig({ MARQUEE_PORT: '' }).port).toBe(8080)
  expect(Object.isFrozen(loadConfig({}))).toBe(true)
})

test.each([
  [{ MARQUEE_DATBASE_URL: 'x' }, 'MARQUEE_DATBASE_URL is not a setting. Did you mean MARQUEE_DATABASE_URL?'],
  [{ MARQUEE_HOSTS: 'x' }, 'MARQUEE_HOSTS is not a setting. Did you mean MARQUEE_HOST?'],
  [{ MARQUEE_PORT: '70000' }, 'MARQUEE_PORT: "70000" is not a whole number from 0 to 65535.'],
  [{ MARQUEE_PORT: '80.5' }, 'MARQUEE_PORT: "80.5" is not a whole number from 0 to 65535.'],
  [{ MARQUEE_BASE_URL: 'ftp://x' }, 'MARQUEE_BASE_URL: "ftp://x" is not an http or https address.'],
  [{ MARQUEE_STORAGE_PRO: 'lots' }, 'MARQUEE_STORAGE_PRO: "lots" is not a size such as 500MiB or 10GiB.'],
  [
    { MARQUEE_LOG_LEVEL: 'loud' },
    'MARQUEE_LOG_LEVEL: "loud" is not one of fatal, error, warn, info, debug, trace.',
  ],
  [
    { MARQUEE_OIDC_ISSUER: 'https://id.example' },
    'MARQUEE_OIDC_ISSUER needs MARQUEE_OIDC_AUDIENCE or MARQUEE_OIDC_CLIENT_ID beside it.',
  ],
  [{ MARQUEE_OIDC_CLIENT_ID: 'x' }, 'MARQUEE_OIDC_CLIENT_ID needs MARQUEE_OIDC_ISSUER beside it.'],
  [{ MARQUEE_OIDC_CLIENT_SECRET: 'x' }, 'MARQUEE_OIDC_CLIENT_SECRET needs MARQUEE_OIDC_CLIENT_ID beside it.'],
  [
    { MARQUEE_BASE_URL: 'http://x/a?b#c' },
    'MARQUEE_BASE_URL: "http://x/a?b#c" is not an http or https address.',
  ],
  [{ MARQUEE_BODY_LIMIT: '0' }, 'MARQUEE_BODY_LIMIT: "0" is too small.'],
  [
    { MARQUEE_TRUST_PROXY: '10.0.0.0/8,nonsense' },
    'MARQUEE_TRUST_PROXY: "nonsense" is neither an address nor',
  ],
  [
    { MARQUEE_DATABASE_URL: 'garbage' },
    'MARQUEE_DATABASE_URL: it is not an address that begins with postgres://',
  ],
  [{ MARQUEE_REDIS_URL: 'http://x' }, 'MARQUEE_REDIS_URL: it is not an address that begins with redis://'],
  [{ MARQUEE_ROLES: 'api,king' }, 'MARQUEE_ROLES: "king" is not one of api, worker.'],
])('%j is refused', (env, message) => {
  expect(() => loadConfig(env as never)).toThrow(message)
})

test('all names begin alike, but those that OpenTelemetry has given, and none is there twice', () => {
  const names = Object.values(settings).map(({ name }) => name)
  expect(names.filter((name) => !/^(MARQUEE|OTEL)_[A-Z0-9_]+$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
