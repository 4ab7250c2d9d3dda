import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { installationSecret } from '../../../server/access/installation/store.ts'
import { tokenIssuer } from '../../../server/access/tokens/issuer.ts'
import { openS3Store } from '../../../server/platform/objects/s3.ts'
import { connect } from '../../../server/platform/postgres/client.ts'
import type { Service } from '../../../server/start/compose.ts'
import type { Kept } from '../../setup/scale-engines.ts'
import { emptyService } from '../empty-service.ts'
import type { Composed, ComposeOptions } from '../in-process.ts'
import { mediaInStore } from '../stored-media.ts'
import { startInstallation } from './installation.ts'
import { skipHere } from './skip-here.ts'

/** What a test uses as a service, over two processes that answer and two that work. */
export async function composeSeveral({ env = {}, clock, fresh }: ComposeOptions): Promise<Composed> {
  if (clock) skipHere('several processes have the clock of the machine')
  const { MARQUEE_ROLES: roles, ...others } = env
  // A test that asks for no worker wants nobody to do what it begins. Roles are given to processes one by one.
  const workers = roles === 'api' ? 0 : 2
  const kept = fresh || Object.keys(others).length > 0 ? undefined : keptWith(workers)
  const installation = kept ?? (await startInstallation({ env, workers }))
  const sql = connect({ url: installation.databaseUrl }, { max: 4 })
  const { s3 } = inject('engines')!
  const bucket = 'env' in installation ? installation.env.MARQUEE_S3_BUCKET! : installation.bucket
  const store = await openS3Store({ ...s3, bucket, forcePathStyle: true })
  const issuer = tokenIssuer(await installationSecret(sql, 'token_signing'))
  if (kept) await forgetCounted(kept.redisUrl)
  // They have made a first organization, or served a test before; that of the test has keys that the test knows.
  while (!(await emptyService({ sql, store })));
  return {
    settings: JSON.stringify(env),
    url: installation.url,
    get dataDir(): string {
      return skipHere('several processes have no folder in common')
    },
    sql,
    store,
    media: mediaInStore(store),
    service: onlyWith({ issuer }),
    isInUse: false,
    async close() {
      await sql.end()
      await store.close()
      if ('stop' in installation) await installation.stop()
    },
  }
}

/** Most tests ask for nothing special: what they need runs already, one for each process that runs tests. */
function keptWith(workers: number): Kept | undefined {
  const kept = (inject('installations') ?? []).filter((one) => one.workers === workers)
  return kept[Number(process.env.VITEST_POOL_ID) - 1]
}

/** What a test before has used up of limits. */
async function forgetCounted(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl)
  await redis.flushdb()
  redis.disconnect()
}

function onlyWith(parts: Pick<Service, 'issuer'>): Service {
  return new Proxy(parts as Service, {
    get: (target, name) =>
      name in target ? Reflect.get(target, name) : skipHere('other processes are not looked into'),
  })
}
