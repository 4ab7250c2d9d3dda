import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { badRequest, Refusal } from '../base/errors.ts'
import type { Form, FormFile, FormLimits, UseForm } from '../base/form.ts'
import { newIdSuffix } from '../base/ids.ts'
import { type OperationDescription, operation, type RequestParts } from './operation.ts'
import { disagreement } from './path-in-body.ts'
import type { App } from './types.ts'

export interface FormOptions {
  /** Folder for files on their way from a client. */
  workDir: string
  /** A client may take its time, but not fall silent for longer than this. */
  silenceSeconds: number
}

/** A file in the description of a form. */
export const FormFileSchema = Type.Unsafe<string>({ type: 'string', format: 'binary' })
export const EXAMPLE_FILE = 'the bytes of the file'

const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 64 * 2 ** 10
const MAX_NAME = 1024

/** The operations that take forms, apart from the others: what they are sent is read only when they say so. */
export function formRoutes(app: App, add: (scope: App) => void): void {
  app.register(async (inner) => {
    const scope = inner as App
    scope.removeAllContentTypeParsers()
    await scope.register(multipart)
    // Left unread: whoever may not use the operation hears that first, then what was wrong with the type.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const usual = scope.validatorCompiler!
    // A form's schema is there for the description; the parts are judged as they come.
    scope.setValidatorCompiler((route) => (route.httpPart === 'body' ? () => true : usual(route)))
    add(scope)
  })
}

export function formOperation<P extends RequestParts, A extends Record<number, TSchema>>(
  about: OperationDescription<P, A>,
) {
  const { schema, config } = operation({ ...about, streamsBody: true })
  return {
    schema: { ...schema, consumes: ['multipart/form-data'] },
    config,
    bodyLimit: Number.MAX_SAFE_INTEGER,
  }
}

/** The request's form, for a use case that reads it when it is ready to. */
export function formOf(request: FastifyRequest, { workDir, silenceSeconds }: FormOptions): UseForm {
  const { raw } = request
  return async (limits, use) => {
    if (!request.isMultipart()) throw new Refusal(415, { details: 'send the form as multipart/form-data' })
    refuseDeclared(Number(request.headers['content-length'] ?? 0), limits)
    const folder = path.join(workDir, `form-${newIdSuffix()}`)
    await mkdir(folder, { mode: 0o700 })
    try {
      raw.setTimeout(silenceSeconds * 1000, () => raw.destroy())
      const form = await readForm(request, folder, limits)
      raw.setTimeout(0)
      const other = disagreement(request.params as Record<string, string>, firstValues(form))
      if (other) throw other
      return await use(form)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function firstValues({ fields }: Form): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, [first]]) => [name, first]))
}

function refuseDeclared(length: number, { maxBytes, maxFiles }: FormLimits): void {
  const wrapping = (maxFiles + MAX_FIELDS) * MAX_FIELD_BYTES
  if (length > maxBytes * maxFiles + wrapping) throw tooLarge(maxBytes)
}

async function readForm(request: FastifyRequest, folder: string, limits: FormLimits): Promise<Form> {
  const form: Form = { fields: new Map(), files: [] }
  const { maxBytes: fileSize, maxFiles: files } = limits
  const parts = request.parts({
    // A name is never used as a path, so nothing needs to be cut off it.
    preservePath: true,
    limits: { fileSize, files, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: files + MAX_FIELDS },
  })
  try {
    for await (const part of parts) {
      // Some clients write a list as `files[]`.
      const field = (part.fieldname ?? '').replace(/\[\d*\]$/, '')
      if (part.type === 'file')
        form.files.push(await keepFile(part, field, path.join(folder, String(form.files.length)), fileSize))
      else form.fields.set(field, [...(form.fields.get(field) ?? []), ...valuesOf(part, field)])
    }
    return form
  } catch (error) {
    // The rest is of no use, but has to pass before the client hears the answer.
    request.raw.unpipe()
    request.raw.resume()
    throw asRefusal(error, files)
  }
}

async function keepFile(
  part: MultipartFile,
  field: string,
  file: string,
  maxBytes: number,
): Promise<FormFile> {
  part.file.once('limit', () => part.file.destroy(tooLarge(maxBytes)))
  const written = createWriteStream(file, { mode: 0o600, flags: 'wx' })
  await pipeline(part.file, written)
  return { field, name: (part.filename || 'file').slice(0, MAX_NAME), path: file, size: written.bytesWritten }
}

/** What a field says; one that is sent as JSON may say several things at once. */
function valuesOf(part: Extract<Multipart, { type: 'field' }>, field: string): string[] {
  if (part.valueTruncated)
    throw new Refusal(413, { details: `${field}: at most ${MAX_FIELD_BYTES} bytes are taken` })
  const values = [part.value].flat()
  if (values.every((value) => typeof value === 'string')) return values
  throw badRequest(`${field}: must be text`)
}

const tooLarge = (maxBytes: number) =>
  new Refusal(413, { details: `at most ${maxBytes} bytes are taken for each file` })

function asRefusal(error: unknown, maxFiles: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof Refusal) return error
  if (code === 'FST_FILES_LIMIT' && maxFiles === 1) return badRequest('the form takes one file, and has more')
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new Refusal(413, { details: `at most ${maxFiles} files and ${MAX_FIELDS} fields are taken` })
  if (syscall) return error
  return badRequest('the form is broken, or was cut off')
}
