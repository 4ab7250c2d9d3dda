import { Type } from 'typebox'
import { Id, named } from '../http/schemas.ts'

export const Params = Type.Object({ fileId: Id('file') })

export const Query = Type.Object({
  kind: Type.String(),
  max: Type.String(),
  expires: Type.String(),
  signature: Type.String({ description: 'over the path and the other parameters: use the address as it is' }),
})

export const UploadReceipt = named(
  'UploadReceipt',
  Type.Object({ size: Type.Integer({ description: 'bytes that have arrived' }) }),
  { size: 48213 },
)

export const TheFile = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  description: 'the file, as it is',
})
