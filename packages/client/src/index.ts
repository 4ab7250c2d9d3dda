// A typed client of Marquee for browsers, workers and servers. What is not imported is not loaded.

export type { Operations, Schemas } from './api-types.ts'
export {
  type Answer,
  type Call,
  type CallArguments,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Given,
  type Method,
  type Path,
  type Request,
} from './client.ts'
export { attempt, type Failure, MarqueeError, type Outcome } from './errors.ts'
export { follow } from './follow.ts'
export { type Item, type ListPath, paginate } from './paginate.ts'
export type { UploadSource } from './put.ts'
export type { Retries } from './retry.ts'
export type { Tokens } from './tokens.ts'
export type { UploadProgress } from './upload-progress.ts'
export { type StartUpload, type Upload, type Uploaded, type UploadOptions, uploads } from './uploads.ts'
