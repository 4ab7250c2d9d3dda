import { StartupError } from '../base/errors.ts'

/** Something of a backup is not as it was written. */
export class DamagedBackup extends StartupError {}
