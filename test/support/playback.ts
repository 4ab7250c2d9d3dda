import { createPrivateKey } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { expect } from 'vitest'
import type { Api } from './api.ts'

export interface OwnKey {
  id: string
  sign(claims: JWTPayload & Record<string, unknown>): Promise<string>
}

/** A signing key of a project, with which a test signs as an app does. */
export async function newSigningKey(api: Api, orgId: string, project_id: string): Promise<OwnKey> {
  const path: string = `/organizations/${orgId}/signing-keys/v1`
  const { status, body } = await api.post(path, { project_id, name: 'App' })
  expect(status).toBe(201)
  const { id, private_key } = body.signing_key
  const key = createPrivateKey(private_key)
  return {
    id,
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: id }).sign(key),
  }
}

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
