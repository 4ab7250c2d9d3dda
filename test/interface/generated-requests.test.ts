import fc from 'fast-check'
import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember, addTenant, type Tenant } from '../support/world.ts'
import { type Described, describedBy } from './description.ts'
import { answerChecker } from './generated/check-answer.ts'
import { type GeneratedRequest, type Known, requestsOf } from './generated/requests.ts'

const isLong = Boolean(process.env.MARQUEE_TEST_LONG)
/** Of each operation. The same ones each time where nobody has hours for others. */
const REQUESTS = isLong ? 100 : 4
const SEED = isLong ? Date.now() % 2 ** 31 : 20_261

const NO_LIMITS = Object.fromEntries(
  ['KEY', 'SIGN_IN', 'DELIVERY', 'PUBLIC'].map((what) => [`MARQUEE_LIMIT_${what}_PER_MINUTE`, '0']),
)

/** What takes away what others are asked with comes last. */
const ENDING = /^(logoutUser|changePassword|setMemberStatus|setMemberRole|rotateKey|completePasswordReset)$/
const isEnding = ([name, { operationId }]: [string, Described]) =>
  name.startsWith('DELETE') || ENDING.test(operationId)

/** An address to upload to names the file. */
const fileIn = (url: string) => new URL(url).pathname.split('/').at(-1)!

async function fill(
  service: InProcess,
  { projectId, orgId, secretKey, secretKeyId, owner }: Tenant,
): Promise<Known> {
  const api = owner.as(key(secretKey))
  const video = await videoUploaderOf(api).upload(await clip(2))
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  const { body: feed } = await api.post('/feeds', { name: 'Short films' })
  const post = await authorOf(api, projectId, feed.id).post(await smallJpeg(), { description: 'A pier' })
  const { body: begun } = await api.post('/videos/upload/init', { file_name: 'a.mp4' })
  const { body: webhook } = await owner.post(`/organizations/${orgId}/webhooks/v1`, {
    project_id: projectId,
    url: 'https://hooks.example/marquee',
    kinds: ['video.ready'],
  })
  const { body: policy } = await owner.post(`/auth/v1/memberships/${orgId}/policies`, {
    name: 'readers',
    permissions: ['videos:read'],
  })
  const member = await addMember(service, { orgId, owner } as Tenant, 'somebody@mine.example', [])
  const [videos, images, posts] = [[video.id, begun.video_id], [image.id], [post.id]]
  return {
    videoId: videos,
    video_id: videos,
    imageId: images,
    fileId: [video.file.id, image.file.id, fileIn(begun.video_presigned_url)],
    feedId: [feed.id],
    feed_id: [feed.id],
    postId: posts,
    post_id: posts,
    projectId: [projectId],
    project_id: [projectId],
    'x-project-id': [projectId],
    org_id: [orgId],
    orgId: [orgId],
    key_id: [secretKeyId],
    webhook_id: [webhook.webhook.id],
    policy_id: [policy.id],
    user_id: [member.id],
    provider: ['stripe', 'custom'],
    lang_code: ['en', 'de'],
    path: ['video.m3u8', 'poster.avif', 'storyboard.vtt', 'client.js'],
  }
}

async function send(
  url: string,
  { path, body, ...request }: GeneratedRequest,
  credential: Record<string, string>,
) {
  const response = await fetch(url + path, {
    ...request,
    headers: { ...request.headers, ...credential },
    body: body as string,
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    text: await response.text(),
  }
}

test(`${REQUESTS} requests of each operation: no 500, and every answer is as described`, {
  timeout: 3_600_000,
}, async () => {
  const service = await composeForTest({ env: NO_LIMITS })
  const mine = await addTenant(service, 'mine')
  const known = await fill(service, mine)
  const { body: document, operations } = await describedBy(service)
  const check = answerChecker(document)
  const all = [...operations]
  const inOrder = [...all.filter((one) => !isEnding(one)), ...all.filter(isEnding)]
  const problems: string[] = []
  const statuses = new Map<string, number>()
  for (const [name, operation] of inOrder) {
    const requests = fc.sample(requestsOf([name, operation], document, known), {
      numRuns: REQUESTS,
      seed: SEED,
    })
    for (const [i, request] of requests.entries()) {
      const credential: Record<string, string> =
        i % 2 ? key(mine.secretKey) : { authorization: `Bearer ${mine.ownerToken}` }
      const answer = await send(service.url, request, operation.security?.length ? credential : {})
      statuses.set(String(answer.status)[0]!, (statuses.get(String(answer.status)[0]!) ?? 0) + 1)
      const problem = check(operation, request.method, answer)
      if (problem)
        problems.push(
          `${request.method} ${request.path.slice(0, 300)} ${String(request.body ?? '').slice(0, 300)}\n  ${problem.slice(0, 500)}`,
        )
    }
  }
  expect(problems, `seed ${SEED}`).toEqual([])
  const few = (inOrder.length * REQUESTS) / 10
  // Many of them are right: a service that refuses everything would pass otherwise.
  expect(statuses.get('2')).toBeGreaterThan(few)
  expect(statuses.get('4')).toBeGreaterThan(few)
})
