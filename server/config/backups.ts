import { oneOf, secret, text, url } from './settings.ts'

/** The S3 server that backups are kept on, where it is another than that of media. */
export const backupSettings = {
  backupS3Endpoint: url(
    'MARQUEE_BACKUP_S3_ENDPOINT',
    undefined,
    'Address of the S3 server for backups to `s3://…`. Default: `MARQUEE_S3_ENDPOINT`.',
  ),
  backupS3Region: text(
    'MARQUEE_BACKUP_S3_REGION',
    undefined,
    'Region of the bucket for backups. Default: `MARQUEE_S3_REGION`.',
  ),
  backupS3AccessKey: text(
    'MARQUEE_BACKUP_S3_ACCESS_KEY',
    undefined,
    'Access key for backups. Default: `MARQUEE_S3_ACCESS_KEY`.',
  ),
  backupS3SecretKey: secret(
    'MARQUEE_BACKUP_S3_SECRET_KEY',
    'Secret key beside it. Default: `MARQUEE_S3_SECRET_KEY`.',
  ),
  backupS3PathStyle: oneOf(
    'MARQUEE_BACKUP_S3_PATH_STYLE',
    ['as media', 'true', 'false'],
    'as media',
    'Whether the bucket for backups is named in the path. `as media`: as `MARQUEE_S3_PATH_STYLE` says.',
  ),
}
