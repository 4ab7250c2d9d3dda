import path from 'node:path'
import { installationSecret, knownDomains, MAIL_RESET, openAccess } from '../access/index.ts'
import {
  DELETE_VIEWER,
  DUMP_EVENTS,
  ERASE_EVENTS,
  enqueueErasure,
  openAnalytics,
} from '../analytics/index.ts'
import { openBilling, readPrices } from '../billing/index.ts'
import type { Config } from '../config/config.ts'
import { quotasOf, storageLimitsOf } from '../config/plans.ts'
import { openConsole } from '../console/index.ts'
import { openDelivery, UNSIGNED_WIDTHS } from '../delivery/index.ts'
import { openFeeds, REMOVE_FEED } from '../feeds/index.ts'
import { IMPORT_IMAGE, OPTIMISE, openImages, signSize } from '../images/index.ts'
import { openLibrary } from '../library/index.ts'
import { openSdk } from '../sdk/index.ts'
import { openSyndication } from '../syndication/index.ts'
import { FILL, openTranscoding } from '../transcoding/index.ts'
import { openUploads } from '../uploads/index.ts'
import {
  clearVideoFailure,
  failVideo,
  IMPORT_VIDEO,
  openVideos,
  setProcessed,
  tracksOfFile,
} from '../videos/index.ts'
import { openWebhooks } from '../webhooks/index.ts'
import { type Addresses, pathOf } from './addresses.ts'
import { openBillingComponent } from './engines/billing.ts'
import type { Engines } from './engines/engines.ts'
import { dumpFolderOf } from './engines/events.ts'
import { providersOf } from './openid.ts'
import type { Report } from './report.ts'
import type { Slice } from './slice.ts'
import { webhookRecords } from './webhook-records.ts'

/** Every kind of work that is done in the background. */
export const QUEUES = [
  OPTIMISE,
  IMPORT_IMAGE,
  IMPORT_VIDEO,
  REMOVE_FEED,
  FILL,
  MAIL_RESET,
  ERASE_EVENTS,
  DELETE_VIEWER,
  DUMP_EVENTS,
]

interface SliceDeps {
  engines: Engines
  addresses: Addresses
  report: Report
}

/** Opens every slice with what it needs, lower ones first, and answers them in that order. */
export async function openSlices(config: Config, { engines, addresses, report }: SliceDeps) {
  const { sql, objects, pool, workDir, jobs, tools } = engines
  const storageLimits = storageLimitsOf(config)
  const trashSeconds = config.trashLifetimeSeconds
  const cdnUrl = await knownDomains(
    sql,
    { cdnUrl: addresses.cdn, ownUrls: [addresses.base, addresses.upload] },
    (error) => report.warn(error, 'domains of projects not read'),
  )

  const access = await openAccess({
    sql,
    jobs,
    mailer: engines.mailer,
    limiter: engines.limiter,
    providers: providersOf(config),
    lifetimes: {
      accessTokenSeconds: config.accessTokenLifetimeSeconds,
      refreshTokenSeconds: config.refreshTokenLifetimeSeconds,
    },
    passwordsPerMinute: config.passwordsPerMinute,
    strangersPerHour: config.strangersPerHour,
    resetMailsPerHour: config.resetMailsPerHour,
    storageLimits,
    regions: config.regions,
    dns: engines.dns,
    cdnUrl,
    baseUrl: addresses.base,
    trashSeconds,
    unsignedWidths: config.sizes === 'signed' ? UNSIGNED_WIDTHS : undefined,
    onPurge: (tx, project) => enqueueErasure(jobs, tx, project),
    invitationLifetimeSeconds: config.invitationLifetimeSeconds,
    invitationMail: invitationMailOf(config, { engines, addresses, report }),
    onMailRefused: (error) => report.warn(error, 'mail for a new password refused'),
    onUseNotWritten: (error) => report.warn(error, 'last use of keys not written'),
    onFailedNotWritten: (error) => report.warn(error, 'failed requests not written'),
  })

  const uploads = await openUploads({
    sql,
    objects,
    uploadUrl: addresses.upload,
    path: pathOf(addresses.upload),
    lifetimeSeconds: config.uploadLifetimeSeconds,
    direct: config.uploadsDirect === 'true',
    silenceSeconds: config.requestTimeoutSeconds,
  })

  const importing = {
    outbound: engines.outbound,
    importsOn: config.imports === 'on',
    silenceMs: config.importSilenceSeconds * 1000,
    tryMs: config.importTrySeconds * 1000,
  }
  const media = {
    ...uploads.begin,
    ...importing,
    sql,
    pool,
    tools,
    workDir,
    jobs,
    cdnUrl,
    storageLimits,
    trashSeconds,
  }

  const images = openImages({ ...media, dropPoster: (poster) => videos.dropPoster(poster) })

  const transcoding = await openTranscoding({
    sql,
    objects,
    tools,
    folder: path.join(workDir, 'sources'),
    tracksOf: (fileId) => tracksOfFile(sql, fileId),
    onFailed: (fileId, reason) => failVideo(sql, fileId, reason),
    onRetry: (fileId) => clearVideoFailure(sql, fileId),
    onFilled: (fileId) => setProcessed(sql, fileId),
  })
  const { transcoder } = transcoding

  const videos = openVideos({ ...media, transcoder, silenceSeconds: config.requestTimeoutSeconds })

  const sizes = { signed: config.sizes === 'signed', secret: await installationSecret(sql, 'size_signing') }
  const sizeUrl = (url: string) => (sizes.signed ? signSize(url, sizes.secret) : url)

  const delivery = openDelivery({
    sql,
    permission: sizes,
    objects,
    pool,
    workDir,
    transcoder,
    playbackTokens: access.playbackTokens,
    cdnUrl,
    path: pathOf(addresses.cdn),
    sizes: { folder: path.join(config.dataDir, 'cache'), maxBytes: config.sizesCacheBytes },
    patienceMs: config.downloadPatienceSeconds * 1000,
  })

  const feeds = openFeeds({ ...media, images: images.completion, videos: videos.completion })

  const syndication = openSyndication({ sql, cdnUrl, baseUrl: addresses.base, sizeUrl })

  const library = openLibrary({ sql, objects, cdnUrl })

  const analytics = openAnalytics({
    sql,
    events: engines.events,
    jobs,
    clock: engines.clock,
    dumpFolder: dumpFolderOf(config.dataDir),
  })

  const billing = openBilling({
    sql,
    billing: await openBillingComponent(config, sql, {
      onError: (error) => report.error(error, 'webhook not stored'),
      onTrouble: report.trouble,
    }),
    graceSeconds: config.billingGraceSeconds,
    prices: config.billingUrl ? undefined : readPrices(config.billingPrices),
    storageLimits,
    quotas: quotasOf(config).plans,
  })

  const webhooks = openWebhooks({
    sql,
    outbound: engines.webhookOutbound,
    readRecord: webhookRecords({ sql, cdnUrl }),
    tryForSeconds: config.webhookTrySeconds,
    firstPauseSeconds: config.webhookFirstPauseSeconds,
    timeoutMs: config.webhookTimeoutSeconds * 1000,
    onError: (error) => report.error(error, 'webhooks not delivered'),
  })

  const sdk = openSdk({ packagesFolder: path.join(import.meta.dirname, '../../packages'), objects })

  const consoleApp = openConsole({
    folder: path.join(import.meta.dirname, '../../console/dist'),
    origins: { cdn: cdnUrl, uploads: uploadOriginsOf(config, addresses) },
  })

  const domains: Slice = { close: cdnUrl.close }
  const slices: Slice[] = [
    domains,
    ...[access, uploads, images, transcoding, videos, delivery, feeds, syndication, library],
    ...[analytics, billing, webhooks, sdk, consoleApp],
  ]
  return { slices, access }
}

function invitationMailOf(config: Config, { engines, addresses, report }: SliceDeps) {
  const { mailer, limiter } = engines
  if (!mailer) return undefined
  return {
    mailer,
    limiter,
    mailsPerHour: config.invitationMailsPerHour,
    baseUrl: addresses.base,
    onError: (error: unknown) => report.error(error, 'invitation not mailed'),
  }
}

/** Where browsers send files: to the service itself, or to the object store by signed addresses. */
function uploadOriginsOf(
  { s3Bucket, s3Endpoint, s3PublicEndpoint }: Config,
  { upload }: Addresses,
): string[] {
  const store = s3PublicEndpoint ?? s3Endpoint ?? 'https://*.amazonaws.com'
  return s3Bucket ? [upload, store] : [upload]
}
