// Scripts and types of the packages for app developers, under /sdk.

export { openSdk } from './open-sdk.ts'
