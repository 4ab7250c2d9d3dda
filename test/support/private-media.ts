import { SignJWT } from 'jose'
import { expect } from 'vitest'
import type { Api } from './api.ts'
import { uploaderOf } from './media.ts'
import { inSeconds, newSigningKey, type OwnKey } from './playback.ts'
import { smallJpeg } from './posts.ts'
import { clip, formsOf, made, videoUploaderOf } from './video.ts'

interface Seeded {
  url: string
  api: Api
  seed: { org_id: string; project_id: string; api_key: string }
}

/** A private video with everything that a video can have, a private image, and a public feed that shows both. */
export async function privateMedia(service: Seeded) {
  const { api, seed } = service
  const video = await videoUploaderOf(api).upload(await clip(3))
  const { put } = formsOf(service)
  await put(`/videos/${video.id}/subtitles/en`, [
    'file',
    { content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n' },
  ])
  const tone = await made(['-f', 'lavfi', '-i', 'sine=frequency=220:duration=2'], 'mp3')
  expect((await put(`/videos/${video.id}/audio-tracks/de`, ['file', { content: tone }])).status).toBe(200)
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  const { id: feed } = (await api.post('/feeds', { name: 'News', visibility: 'public' })).body
  const content = { content_ids: [video.id, image.id], content_type: 'mixed' }
  const { data: posts } = (await api.post(`/feeds/${feed}/content`, content)).body
  for (const path of [`/videos/${video.id}`, `/images/${image.id}`])
    expect((await api.patch(path as string, { visibility: 'private' })).body.visibility).toBe('private')
  const appKey = await newSigningKey(api, seed.org_id, seed.project_id)
  return { video, image, feed, posts, appKey }
}

export async function status(address: string, headers: Record<string, string> = {}) {
  const response = await fetch(address, { headers })
  const text = Buffer.from(await response.arrayBuffer()).toString()
  const details: string = response.status === 403 ? JSON.parse(text).details : ''
  return { status: response.status, details, headers: response.headers }
}

type WrongTokens = Record<string, [shown: string | undefined, reason: RegExp]>

/** No token, and every kind of token that opens nothing of a video. */
export async function wrongTokens(
  videoId: string,
  {
    key,
    foreign,
    others,
  }: {
    /** Of the video’s project. */
    key: OwnKey
    /** Another project: a key of it, and a token that the service made for all that is in it. */
    foreign: { projectId: string; key: OwnKey; token: string }
    /** Media of the same project. */
    others: string[]
  },
): Promise<WrongTokens> {
  const claims = { sub: videoId, exp: inSeconds(60) }
  const [head, body, signature] = (await key.sign(claims)).split('.') as [string, string, string]
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: key.id })).toString('base64url')
  const longer = Buffer.from(JSON.stringify({ ...claims, exp: inSeconds(9999) })).toString('base64url')
  const byWhatIsPublic = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key.id })
  const wrong: WrongTokens = {
    none: [undefined, /needs one/],
    garbage: ['garbage', /malformed/],
    'of nobody': ['a.b.c', /malformed/],
    'with another signature': [`${head}.${body}.${signature.split('').reverse().join('')}`, /signature/],
    'of other claims': [`${head}.${longer}.${signature}`, /signature/],
    'without a signature': [`${none}.${body}.`, /malformed/],
    'by no algorithm': [`${none}.${body}.${signature}`, /EdDSA/],
    'signed with what is public': [await byWhatIsPublic.sign(Buffer.from(key.id)), /EdDSA/],
    late: [await key.sign({ ...claims, exp: inSeconds(-60) }), /expired/],
    early: [await key.sign({ ...claims, nbf: inSeconds(60) }), /not valid yet/],
    'that never ends': [await key.sign({ sub: videoId }), /exp/],
    'for another project': [await key.sign({ ...claims, aud: foreign.projectId }), /another project/],
    'of another project': [await foreign.key.sign(claims), /does not have/],
    'of another project, made by the service': [foreign.token, /another project/],
  }
  for (const sub of others) wrong[`for ${sub}`] = [await key.sign({ ...claims, sub }), /another video/]
  return wrong
}

/** All of these addresses open with the one token, and none without it or with another. */
export async function checkTokens(addresses: string[], right: string, wrong: WrongTokens): Promise<void> {
  for (const address of addresses) {
    expect((await status(`${address}?token=${right}`)).status, address).toBe(200)
    for (const [name, [shown, reason]] of Object.entries(wrong)) {
      const answer = await status(shown === undefined ? address : `${address}?token=${shown}`)
      expect(answer, `${address} with a token ${name}`).toMatchObject({ status: 403 })
      expect(answer.details, name).toMatch(reason)
      expect(answer.headers.get('cache-control'), name).toBe('no-store')
    }
  }
}

const READERS = 12

/**
 * Readers who ask for these addresses without a token, one request after the other. Answers once they are served; from
 * `closed` on nothing may be.
 */
export async function readAllTheTime(watched: () => string[]) {
  let isClosed = false
  let isOver = false
  let seen = 0
  const found: string[] = []
  const readers = Array.from({ length: READERS }, async (_, i) => {
    while (!isOver) {
      const address = watched()[i % watched().length]!
      const wasClosed = isClosed
      const { status: answered } = await status(address)
      if (answered === 200) seen++
      if (wasClosed && answered !== 403) found.push(`${address} answered ${answered}`)
    }
  })
  await expect.poll(() => seen).toBeGreaterThan(2 * READERS)
  return {
    closed() {
      isClosed = true
    },
    /** Ends it, and answers what was served nevertheless. */
    async leaks(): Promise<string[]> {
      isOver = true
      await Promise.all(readers)
      return found
    },
  }
}
