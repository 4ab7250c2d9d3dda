import path from 'node:path'
import { StartupError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { accessSettings } from './access.ts'
import { backupSettings } from './backups.ts'
import { billingSettings } from './billing.ts'
import { eventSettings } from './events.ts'
import { importSettings } from './imports.ts'
import { limitSettings } from './limits.ts'
import {
  list,
  networks,
  oneOf,
  type Setting,
  secret,
  serverUrl,
  size,
  text,
  url,
  wholeNumber,
} from './settings.ts'
import { telemetrySettings } from './telemetry.ts'
import { webhookSettings } from './webhooks.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Every setting of the service. docs/configuration.md is generated from this table. */
export const settings = {
  dataDir: text(
    'MARQUEE_DATA_DIR',
    '.marquee',
    'Folder for everything the service keeps on disk. A relative path counts from the checkout.',
  ),
  host: text('MARQUEE_HOST', '127.0.0.1', 'Address to listen on. `0.0.0.0` listens on all.'),
  port: wholeNumber('MARQUEE_PORT', 8080, 'Port to listen on. `0` takes any free one.', {
    min: 0,
    max: 65535,
  }),
  baseUrl: url(
    'MARQUEE_BASE_URL',
    undefined,
    'Address under which clients reach the API. Default: `http://localhost:<port>`.',
  ),
  uploadUrl: url(
    'MARQUEE_UPLOAD_URL',
    undefined,
    'Address under which clients upload. Default: `<base URL>/upload`.',
  ),
  cdnUrl: url(
    'MARQUEE_CDN_URL',
    undefined,
    'Address under which media is delivered. Default: `<base URL>/cdn`.',
  ),
  databaseUrl: serverUrl(
    'MARQUEE_DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'PostgreSQL to use, `postgres://user:password@host/database`, with `?sslmode=…` for TLS. Default: an embedded one in the data folder.',
  ),
  databaseConnections: wholeNumber(
    'MARQUEE_DATABASE_CONNECTIONS',
    18,
    'Connections each process keeps to PostgreSQL: half of them, at most 8, for plain statements, the others for transactions. One more listens.',
    { min: 1, max: 500 },
  ),
  databaseUser: text(
    'MARQUEE_EMBEDDED_USER',
    'nobody',
    'System user that the embedded PostgreSQL runs as when the service is started by root.',
  ),
  redisUrl: serverUrl(
    'MARQUEE_REDIS_URL',
    ['redis:', 'rediss:'],
    'Redis that shares rate limits between processes, `redis://host:6379`. Default: each process counts for itself.',
  ),
  roles: list(
    'MARQUEE_ROLES',
    ['api', 'worker'],
    'What this process does, separated by commas: `api` answers requests, `worker` does work in the background. Without `api`, only `/healthz`, `/readyz` and `/metrics` are answered.',
  ),
  s3Bucket: text(
    'MARQUEE_S3_BUCKET',
    undefined,
    'Bucket for media. Default: media is kept in the data folder.',
  ),
  s3Endpoint: url('MARQUEE_S3_ENDPOINT', undefined, 'Address of the S3 server. Default: AWS.'),
  s3PublicEndpoint: url(
    'MARQUEE_S3_PUBLIC_ENDPOINT',
    undefined,
    'Address of the S3 server as clients reach it. Default: the same.',
  ),
  s3Region: text('MARQUEE_S3_REGION', 'us-east-1', 'Region of the bucket.'),
  s3AccessKey: text(
    'MARQUEE_S3_ACCESS_KEY',
    undefined,
    'Access key. Default: what the AWS SDK finds in its usual places.',
  ),
  s3SecretKey: secret('MARQUEE_S3_SECRET_KEY', 'Secret key beside it.'),
  s3PathStyle: oneOf(
    'MARQUEE_S3_PATH_STYLE',
    ['true', 'false'],
    'false',
    'Whether the bucket is named in the path instead of the host, as most servers other than AWS want it.',
  ),
  uploadsDirect: oneOf(
    'MARQUEE_S3_DIRECT_UPLOADS',
    ['true', 'false'],
    'true',
    'Whether clients that name the size of a file send it straight to S3. With `false` every upload goes through the service: it can be resumed without having asked for it, and clients need not reach the bucket.',
  ),
  uploadLifetimeSeconds: wholeNumber('MARQUEE_UPLOAD_LIFETIME', 3600, 'Seconds an upload address works.', {
    min: 1,
    max: 604800,
  }),
  trashLifetimeSeconds: wholeNumber(
    'MARQUEE_TRASH_LIFETIME',
    86_400,
    'Seconds for which what was deleted can be brought back by `marquee trash`; 0: it goes at once.',
    { max: 31_536_000 },
  ),
  sweepIntervalSeconds: wholeNumber(
    'MARQUEE_SWEEP_INTERVAL',
    60,
    'Seconds between two sweeps of what is left over.',
    {
      min: 1,
      max: 86400,
    },
  ),
  brokenPutsKeepSeconds: wholeNumber(
    'MARQUEE_BROKEN_UPLOADS_KEEP',
    604800,
    'Seconds after which parts of a file that were left in the store by a crash are removed. Longer than any upload takes.',
    { min: 1, max: 31536000 },
  ),
  failedJobsKeepSeconds: wholeNumber(
    'MARQUEE_FAILED_JOBS_KEEP',
    2592000,
    'Seconds after which a job in the background that has failed for good is forgotten, unless `marquee jobs` has retried or dropped it.',
    { min: 60, max: 315360000 },
  ),
  sizesCacheBytes: size(
    'MARQUEE_SIZES_CACHE',
    '1GiB',
    'Disk for images in sizes that were asked for; can be made again.',
  ),
  sizes: oneOf(
    'MARQUEE_SIZES',
    ['open', 'signed'],
    'open',
    'Whether any size of an image may be asked for by anybody, or only presets, and what is signed by a secret of its project.',
  ),
  downloadPatienceSeconds: wholeNumber(
    'MARQUEE_DOWNLOAD_PATIENCE',
    25,
    'Seconds that a request for a whole file, `download.mp4` or `audio.m4a`, waits for what is still to be made of it, before it is answered with 503. Less than a proxy in front waits.',
    { min: 1, max: 3600 },
  ),
  ffmpeg: text('MARQUEE_FFMPEG', 'ffmpeg', 'The ffmpeg program, 5.1 or newer.'),
  ffprobe: text('MARQUEE_FFPROBE', 'ffprobe', 'The ffprobe program, 5.1 or newer.'),
  mediaSilenceSeconds: wholeNumber(
    'MARQUEE_MEDIA_SILENCE',
    120,
    'Seconds without output after which ffmpeg or ffprobe counts as hung and is ended. Time in which it computes, or waits for a busy machine, does not count.',
    { min: 1, max: 3600 },
  ),

  logLevel: oneOf(
    'MARQUEE_LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    'info',
    'Least level that is logged. Logs are JSON lines on stderr.',
  ),
  corsOrigins: list(
    'MARQUEE_CORS_ORIGINS',
    ['*'],
    'Origins whose pages may call the API, separated by commas. `*` allows all: the API uses no cookies.',
  ),
  trustProxy: networks(
    'MARQUEE_TRUST_PROXY',
    'Addresses or subnets of proxies whose `X-Forwarded-For` is believed, separated by commas.',
  ),
  apiKey: secret(
    'MARQUEE_API_KEY',
    'Key that `marquee upload` calls the service at `MARQUEE_BASE_URL` with. Default: that of the first start, where its data folder is.',
  ),
  metricsToken: secret(
    'MARQUEE_METRICS_TOKEN',
    'Bearer token for `/metrics`. Without one, only direct callers from this machine are answered.',
  ),
  bodyLimitBytes: size('MARQUEE_BODY_LIMIT', '1MiB', 'Largest JSON body.', { min: 1 }),
  requestTimeoutSeconds: wholeNumber(
    'MARQUEE_REQUEST_TIMEOUT',
    30,
    'Seconds a client has to send a whole request.',
    { min: 1, max: 3600 },
  ),
  stopNoticeSeconds: wholeNumber(
    'MARQUEE_STOP_NOTICE',
    0,
    'Seconds for which the service, when it stops, still takes connections while `/readyz` says 503 already: what a proxy in front needs to notice.',
    { min: 0, max: 600 },
  ),
  drainTimeoutSeconds: wholeNumber(
    'MARQUEE_DRAIN_TIMEOUT',
    10,
    'Seconds that requests under way get to finish when the service stops.',
    { min: 0, max: 600 },
  ),

  ...accessSettings,
  ...eventSettings,
  ...limitSettings,
  ...billingSettings,
  ...webhookSettings,
  ...importSettings,
  ...telemetrySettings,
  ...backupSettings,
} satisfies Record<string, Setting<unknown>>

type Values = { [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never }

export type Config = Readonly<Values>

/** Reads the environment once. Every problem is reported, each with what to do about it. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems = unknownNames(env)
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings)) {
    const given = env[setting.name]
    try {
      values[key] = given === undefined || given === '' ? setting.fallback : setting.parse(given)
    } catch (error) {
      problems.push(`${setting.name}: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new StartupError(problems.join('\n'))
  const config = values as Values
  config.dataDir = path.resolve(root, config.dataDir)
  const role = config.roles.find((name) => !['api', 'worker'].includes(name))
  if (role) throw new StartupError(`MARQUEE_ROLES: "${role}" is not one of api, worker.`)
  if (config.roles.length === 0) throw new StartupError('MARQUEE_ROLES: name api, worker or both.')
  if (config.oidcIssuer && !config.oidcAudience && !config.oidcClientId)
    throw new StartupError(
      'MARQUEE_OIDC_ISSUER needs MARQUEE_OIDC_AUDIENCE or MARQUEE_OIDC_CLIENT_ID beside it.',
    )
  if (config.oidcClientId && !config.oidcIssuer)
    throw new StartupError('MARQUEE_OIDC_CLIENT_ID needs MARQUEE_OIDC_ISSUER beside it.')
  if (config.oidcClientSecret && !config.oidcClientId)
    throw new StartupError('MARQUEE_OIDC_CLIENT_SECRET needs MARQUEE_OIDC_CLIENT_ID beside it.')
  if (Boolean(config.smtpUrl) !== Boolean(config.mailFrom))
    throw new StartupError('MARQUEE_SMTP_URL and MARQUEE_MAIL_FROM need each other.')
  if (config.clickhouseShards.length > 1 && !config.clickhouseCluster)
    throw new StartupError('MARQUEE_CLICKHOUSE_URL with several shards needs MARQUEE_CLICKHOUSE_CLUSTER.')
  if (config.billingUrl && !config.billingInternalSecret)
    throw new StartupError('MARQUEE_BILLING_URL needs MARQUEE_BILLING_INTERNAL_SECRET beside it.')
  return Object.freeze(config)
}

function unknownNames(env: Record<string, string | undefined>): string[] {
  const known = Object.values(settings).map((setting) => setting.name)
  return Object.keys(env)
    .filter((name) => name.startsWith('MARQUEE_') && !known.includes(name))
    .map((name) => `${name} is not a setting. Did you mean ${nearest(name, known)}?`)
}
