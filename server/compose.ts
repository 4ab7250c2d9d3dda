import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { authenticateKey } from './access/authentication/authenticate-key.ts'
import { authenticateToken } from './access/authentication/authenticate-token.ts'
import { lastUsed } from './access/authentication/last-used.ts'
import { installationSecret } from './access/installation/installation-secret.ts'
import { findOrganizationOfProject } from './access/projects/find-organization.ts'
import { purgeProjects } from './access/projects/trash.ts'
import { accessRoutes } from './access/routes.ts'
import { type TokenIssuer, tokenIssuer } from './access/tokens/issuer.ts'
import { openIdVerifier } from './access/tokens/openid.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { OPERATOR } from './base/caller.ts'
import { fairSemaphore } from './base/fair-semaphore.ts'
import { type Repeated, repeat } from './base/repeat.ts'
import { shareLookUps } from './base/share-look-ups.ts'
import { billingRoutes } from './billing/routes.ts'
import { endPlans } from './billing/settle-plans.ts'
import type { Config } from './config.ts'
import { openBilling } from './engines/billing.ts'
import { openDns } from './engines/dns.ts'
import { openEvents } from './engines/events.ts'
import { openLimiter } from './engines/limiter.ts'
import { openMailer } from './engines/mail.ts'
import { openObjects } from './engines/objects.ts'
import { copies } from './feeds/reading/copies.ts'
import { REMOVE_FEED, removeFeed } from './feeds/remove-feed.ts'
import { feedRoutes } from './feeds/routes.ts'
import { purgeFeeds } from './feeds/trash.ts'
import { type BuiltApp, buildApp } from './http/app.ts'
import type { Authenticator } from './http/authentication.ts'
import type { Engine } from './http/health.ts'
import { OPTIMISE, optimiseImage } from './images/optimise-image.ts'
import { imageRoutes } from './images/routes.ts'
import { createImagePool } from './media/images/pool.ts'
import { detectSandbox } from './media/sandbox.ts'
import { quotasOf, storageLimitsOf } from './plans.ts'
import { EventsUnavailable } from './platform/events/errors.ts'
import { jobFigures } from './platform/jobs/figures.ts'
import { handle } from './platform/jobs/port.ts'
import { postgresJobs } from './platform/jobs/postgres.ts'
import { jobRecords } from './platform/jobs/records.ts'
import type { Clock } from './platform/limits/port.ts'
import { StorageUnavailable } from './platform/objects/errors.ts'
import { isOutage, type Sql, statusOfRefusal } from './platform/postgres/client.ts'
import { enqueueFill, FILL, fillVideo } from './playback/hls/fill-video.ts'
import { openPlayer } from './playback/hls/player.ts'
import { hotObjects } from './playback/hot-objects.ts'
import { deliveryRoutes } from './playback/routes.ts'
import { sizeCache } from './playback/size-cache.ts'
import { sharedWork } from './uploads/complete-upload.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { sweep } from './uploads/sweep.ts'
import { purgeFiles } from './uploads/trash.ts'
import { videoRoutes } from './videos/routes.ts'
import { dropPoster } from './videos/watch/drop-poster.ts'
import { watchRoutes } from './videos/watch/routes.ts'

export interface Addresses {
  base: string
  upload: string
  cdn: string
}

export function addressesOf(config: Config, port: number): Addresses {
  const base = config.baseUrl ?? `http://localhost:${port}`
  return { base, upload: config.uploadUrl ?? `${base}/upload`, cdn: config.cdnUrl ?? `${base}/cdn` }
}

export interface Service extends BuiltApp {
  issuer: TokenIssuer
  /** From now on the service says that it is not ready. */
  startDraining(): void
  close(): Promise<void>
}

/** Every kind of work that is done in the background. */
const QUEUES = [OPTIMISE, REMOVE_FEED, FILL]

/** Puts the parts together. */
export async function composeService(
  config: Config,
  { sql, addresses, clock = Date.now }: { sql: Sql; addresses: Addresses; clock?: Clock },
): Promise<Service> {
  let draining = false
  const isApi = config.roles.includes('api')
  const issuer = tokenIssuer(await installationSecret(sql, 'token_signing'))
  const limiter = await openLimiter(config, clock)
  const mailer = await openMailer(config)
  const used = lastUsed(sql, (error) => app.log.warn({ err: error }, 'last use of keys not written'))

  const objects = await openObjects(config)
  // Said in plain words and not in the log: it may be before there is one.
  const onTrouble = (message: string) => process.stderr.write(`marquee: ${message}\n`)
  const events = await openEvents(config, { sql, onTrouble })
  const jobs = postgresJobs(sql, {
    queues: QUEUES,
    onError: (error, queue) => app.log.error({ err: error, queue }, 'job failed'),
  })
  const records = jobRecords(sql, QUEUES)
  const workDir = emptyFolder(path.join(config.dataDir, 'work'))
  const sandbox = detectSandbox()
  const pool = createImagePool({ sandbox })
  const { ffmpeg, ffprobe, mediaSilence: silenceSeconds } = config
  const tools = { ffmpeg, ffprobe, sandbox, silenceSeconds }
  const player = await openPlayer({ sql, objects, tools }, path.join(workDir, 'sources'))
  const conversion = { sql, objects, pool, workDir }
  const delivery = {
    ...conversion,
    player,
    sizes: sizeCache(path.join(config.dataDir, 'cache'), config.sizesCache),
    hot: hotObjects(),
    shareLookUp: shareLookUps(),
  }
  const uploadSecret = await installationSecret(sql, 'upload_signing')
  const storageLimits = storageLimitsOf(config)
  const quotas = quotasOf(config)
  const trash = { trashSeconds: config.trashLifetime }
  const graceSeconds = config.billingGrace
  const billing = await openBilling(config, sql, {
    onError: (error) => app.log.error({ err: error }, 'webhook not stored'),
    onTrouble,
  })
  const uploads = {
    sql,
    objects,
    uploadSecret,
    storageLimits,
    uploadUrl: addresses.upload,
    lifetimeSeconds: config.uploadLifetime,
  }
  const finished = { ...conversion, jobs, cdnUrl: addresses.cdn }
  const finishing = {
    images: { ...finished, share: sharedWork() },
    videos: {
      ...finished,
      tools,
      player,
      sources: player.sources,
      share: sharedWork(),
      studies: fairSemaphore(availableParallelism() + 1),
    },
  }

  const engines: Engine[] = [
    {
      name: 'postgres',
      check: async () => {
        await sql`select 1`
      },
    },
  ]
  engines.push({ name: 'objects', check: () => objects.check() })
  if (isApi) engines.push({ name: 'events', check: () => events.check() })
  if (config.redisUrl) engines.push({ name: 'redis', check: () => limiter.check() })

  const { app, handler, logUnheard }: BuiltApp = await buildApp({
    version: readVersion(),
    logLevel: config.logLevel,
    bodyLimit: config.bodyLimit,
    bodyTimeoutSeconds: config.requestTimeout,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    secure: addresses.base.startsWith('https:'),
    metricsToken: config.metricsToken,
    counted: [
      {
        as: 'counter',
        name: 'marquee_segments_made_total',
        help: 'Segments of videos that were encoded or copied',
        count: player.maker.made,
      },
      {
        as: 'gauge',
        name: 'marquee_events_waiting_bytes',
        help: 'Events that are on the disk and not in the engine yet',
        count: events.waiting,
      },
      {
        as: 'gauge',
        name: 'marquee_reports_waiting',
        help: 'Reports that wait for their turn',
        count: events.waitingReports,
      },
      {
        as: 'gauge',
        name: 'marquee_events_rejected',
        help: 'Requests whose events could not be loaded and were put aside',
        count: events.aside,
      },
      ...jobFigures(records),
    ],
    authenticator: authenticatorOf(config, sql, issuer, used.note),
    limiter,
    quotas,
    engines,
    engineErrors: {
      isOutage: (error) =>
        isOutage(error) || error instanceof StorageUnavailable || error instanceof EventsUnavailable,
      statusOfRefusal,
    },
    organizationOfProject: (projectId) => findOrganizationOfProject(OPERATOR, projectId, sql),
    isDraining: () => draining,
    isApi,
    rooms: [
      accessRoutes({
        sql,
        issuer,
        limiter,
        lifetimes: { accessToken: config.accessTokenLifetime, refreshToken: config.refreshTokenLifetime },
        passwordsPerMinute: config.passwordsPerMinute,
        strangersPerHour: config.strangersPerHour,
        storageLimits,
        regions: config.regions,
        dns: openDns(config),
        domainSecret: await installationSecret(sql, 'domain_proof'),
        cdnUrl: addresses.cdn,
        ...trash,
        invitationLifetime: config.invitationLifetime,
        invitationMail: mailer && {
          mailer,
          limiter,
          mailsPerHour: config.invitationMailsPerHour,
          baseUrl: addresses.base,
          onError: (error) => app.log.error({ err: error }, 'invitation not mailed'),
        },
      }),
      uploadRoutes({
        sql,
        objects,
        uploadSecret,
        path: pathOf(addresses.upload),
        silenceSeconds: config.requestTimeout,
      }),
      imageRoutes({
        ...uploads,
        ...finishing.images,
        ...trash,
        dropPoster: (poster) => dropPoster(poster, { ...conversion, ...trash, tools, player }),
      }),
      videoRoutes({
        ...uploads,
        ...conversion,
        ...trash,
        tools,
        player,
        cdnUrl: addresses.cdn,
        silenceSeconds: config.requestTimeout,
        fill: (tx, file) => enqueueFill(jobs, tx, file),
      }),
      watchRoutes({ ...delivery, ...finishing.videos }),
      feedRoutes({
        ...uploads,
        ...finishing,
        ...trash,
        jobs,
        cdnUrl: addresses.cdn,
        copies: copies(),
        look: shareLookUps(),
      }),
      analyticsRoutes({ sql, events: events.log, clock }),
      deliveryRoutes({ ...delivery, path: pathOf(addresses.cdn) }),
      billingRoutes({ sql, billing, graceSeconds, storageLimits, quotas: quotas.plans }),
    ],
  })

  if (sandbox.warning) app.log.warn(sandbox.warning)

  let sweeper: Repeated | undefined
  if (config.roles.includes('worker')) {
    jobs.work([
      handle(OPTIMISE, optimiseImage(conversion)),
      handle(REMOVE_FEED, removeFeed(sql)),
      handle(FILL, fillVideo({ sql, maker: player.maker, presentations: player.presentations })),
    ])
    sweeper = repeat(
      config.sweepInterval,
      async () => {
        await endPlans({ sql, graceSeconds })
        const due = { seconds: config.trashLifetime }
        await purgeProjects(sql, due)
        await purgeFeeds({ sql, jobs }, due)
        await purgeFiles(sql, due)
        await sweep({ sql, objects }, { brokenPutsKeepSeconds: config.brokenPutsKeep })
        await records.forgetFailed(config.failedJobsKeep)
      },
      (error) => app.log.error({ err: error }, 'sweep failed'),
    )
  }

  return {
    app,
    handler,
    logUnheard,
    issuer,
    startDraining() {
      draining = true
    },
    async close() {
      await sweeper?.stop()
      // What makes things first: that breaks off what jobs are waiting for.
      const jobsEnded = jobs.close()
      await player.close()
      await pool.close()
      await jobsEnded
      await events.close()
      await objects.close()
      await used.close()
      await app.close()
      await limiter.close()
    },
  }
}

function emptyFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The path under which an address of its own is served here. */
function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/+$/, '')
}

function authenticatorOf(
  config: Config,
  sql: Sql,
  issuer: TokenIssuer,
  noteUse: (keyId: string) => void,
): Authenticator {
  const { oidcIssuer, oidcAudience } = config
  const openId =
    oidcIssuer && oidcAudience
      ? openIdVerifier({
          issuer: oidcIssuer,
          audience: oidcAudience,
          jwksUrl: config.oidcJwksUrl ?? `${oidcIssuer}/.well-known/jwks.json`,
        })
      : undefined
  const look = shareLookUps()
  return {
    async byKey(key) {
      const caller = await authenticateKey(key, { sql, look })
      noteUse(caller.id)
      return caller
    },
    byToken: (token) => authenticateToken(token, { sql, issuer, openId }),
  }
}

function readVersion(): string {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')).version
}
