// All of an installation at one moment: kept, read back, checked, and put into another one.

export { readKey } from './cipher.ts'
export type { BackupContent, BackupProgress } from './content.ts'
export { type Exported, exportProject } from './export/export-project.ts'
export { hasProject } from './export/records.ts'
export { type Filled, type FillTarget, fill } from './fill.ts'
export { type LiveSource, withLiveContent } from './live-content.ts'
export { makeBackup } from './make-backup.ts'
export type { Manifest } from './manifest.ts'
export { keepNewest, sweepVault } from './sweep-vault.ts'
export { openVault, type Vault, type VaultPlace } from './vault.ts'
export { contentOfBackup } from './vault-content.ts'
export { type Verified, verifyBackup } from './verify.ts'
