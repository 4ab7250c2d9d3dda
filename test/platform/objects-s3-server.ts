import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { PutBucketPolicyCommand, type S3Client } from '@aws-sdk/client-s3'
import { needs } from '../support/needs.ts'

const SCRIPT = path.join(import.meta.dirname, '../../scripts/services/s3-server')

export interface S3Server {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  stop(): void
}

export const newBucket = () => `marquee-${randomBytes(6).toString('hex')}`

/** What a service is told so that its media is in a bucket of this server. */
export const s3Settings = (
  { endpoint, region, credentials }: Omit<S3Server, 'stop'>,
  bucket = newBucket(),
) => ({
  MARQUEE_S3_BUCKET: bucket,
  MARQUEE_S3_ENDPOINT: endpoint,
  MARQUEE_S3_REGION: region,
  MARQUEE_S3_ACCESS_KEY: credentials.accessKeyId,
  MARQUEE_S3_SECRET_KEY: credentials.secretAccessKey,
  MARQUEE_S3_PATH_STYLE: 'true',
})

/** The server named by the environment, or one of our own, where there is one to be had. */
export function findS3Server(): S3Server | { missing: string } {
  if (process.env.S3_ENDPOINT) return fromSettings(process.env, () => {})

  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-s3-'))
  const run = (command: string) =>
    spawnSync(SCRIPT, [command], { env: { ...process.env, S3_FOLDER: folder }, encoding: 'utf8' })
  const started = run('start')
  if (started.status === 0)
    return fromSettings(parseEnv(started.stdout), () => {
      run('destroy')
    })

  rmSync(folder, { recursive: true, force: true })
  const reason = started.stderr?.trim().split('\n').at(-1) || started.error?.message
  const missing = `an S3 server (${reason})`
  needs(missing, false)
  return { missing }
}

function fromSettings(settings: NodeJS.Dict<string>, stop: () => void): S3Server {
  const { S3_ENDPOINT, S3_REGION = 'us-east-1', S3_ACCESS_KEY = '', S3_SECRET_KEY = '' } = settings
  return {
    endpoint: S3_ENDPOINT!,
    region: S3_REGION,
    credentials: { accessKeyId: S3_ACCESS_KEY, secretAccessKey: S3_SECRET_KEY },
    stop,
  }
}

/** From now on nobody may do these things with a bucket, its owner among them. */
export async function deny(client: S3Client, Bucket: string, actions: string[]): Promise<void> {
  const Resource = [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`]
  const rule = { Effect: 'Deny', Principal: '*', Action: actions, Resource }
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [rule] })
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }))
}
