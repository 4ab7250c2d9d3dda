import { words } from '../../words.ts'
import type { Newest, Published, StepId } from './progress.ts'

const { comments } = words.start
const { feedName } = words.start.steps.embed

export const LANGUAGES = ['curl', 'ts', 'html'] as const
export type Language = (typeof LANGUAGES)[number]

/** What stands for a key that nobody here has. */
export const PLACEHOLDERS = { sk: 'YOUR_SECRET_KEY', pk: 'YOUR_PUBLISHABLE_KEY' } as const

interface Filled {
  origin: string
  secretKey: string
  publishableKey: string
  newest: Newest | undefined
  published: Published
}

type Snippets = Record<StepId, Record<Language, string>>

/** The code of each step, as it is to be copied and run. */
export function snippetsOf(filled: Filled): Snippets {
  return { upload: uploadCode(filled), embed: embedCode(filled), count: countCode(filled) }
}

const FILE = 'holiday.mp4'

function uploadCode({ origin, secretKey }: Filled): Record<Language, string> {
  return {
    curl: `api=${origin}
key=${secretKey}
file=${FILE}

# 1. ${comments.ask}
begun=$(curl -sS -X POST "$api/videos/upload/init" -H "X-API-Key: $key" \\
  -H 'Content-Type: application/json' -d "{\\"file_name\\": \\"$file\\"}")
field() { printf '%s' "$begun" | sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }

# 2. ${comments.send}
curl -sS -T "$file" "$(field video_presigned_url)"

# 3. ${comments.make}
curl -sS -X POST "$api/videos/upload/complete" -H "X-API-Key: $key" \\
  -H 'Content-Type: application/json' -d "{\\"video_id\\": \\"$(field video_id)\\"}"`,
    ts: `import { openAsBlob } from 'node:fs'

${postFunction(origin, secretKey)}

const file = '${FILE}'
type Begun = { video_id: string; video_presigned_url: string }
const begun = await post<Begun>('/videos/upload/init', { file_name: file })
await fetch(begun.video_presigned_url, { method: 'PUT', body: await openAsBlob(file) })
console.log(await post('/videos/upload/complete', { video_id: begun.video_id }))`,
    html: `<input type="file" accept="video/*,image/*">
<script type="module">
  import { createClient, uploads } from '${origin}/sdk/client.js'

  document.querySelector('input').addEventListener('change', async ({ target }) => {
    const tokens = await (await fetch('/marquee-token', { method: 'POST' })).json()
    const start = uploads(createClient({ url: '${origin}', tokens }))
    console.log(await start(target.files[0]).done)
  })
</script>`,
  }
}

function embedCode({ origin, secretKey, newest, published }: Filled): Record<Language, string> {
  const id = newest?.id ?? 'vid_…'
  const { feedId, post } = published
  const body = `{"content_ids": ["${id}"], "content_type": "mixed"}`
  return {
    curl: `api=${origin}
key=${secretKey}

${
  feedId
    ? `feed=${feedId}`
    : `# 1. ${comments.feed}
feed=$(curl -sS -X POST "$api/feeds" -H "X-API-Key: $key" \\
  -H 'Content-Type: application/json' -d '{"name": "${feedName}", "visibility": "public"}' |
  sed -E 's/.*"id":"([^"]*)".*/\\1/')

# 2. ${comments.post}`
}
curl -sS -X POST "$api/feeds/$feed/content" -H "X-API-Key: $key" \\
  -H 'Content-Type: application/json' -d '${body}'`,
    ts: `${postFunction(origin, secretKey)}

${
  feedId
    ? `const feed = { id: '${feedId}' }`
    : `const feed = await post<{ id: string }>('/feeds', { name: '${feedName}', visibility: 'public' })`
}
const content = { content_ids: ['${id}'], content_type: 'mixed' }
console.log(await post(\`/feeds/\${feed.id}/content\`, content))`,
    html: post ? linesOf(origin, post) : '',
  }
}

function countCode({ origin, publishableKey, newest, published }: Filled): Record<Language, string> {
  const { post } = published
  const content = post ? { id: post.contentId, kind: post.kind } : newest
  const id = content?.id ?? 'vid_…'
  const type = content?.kind === 'image' ? 'MEDIA_TYPE_IMAGE' : 'MEDIA_TYPE_VIDEO'
  return {
    curl: `api=${origin}
key=${publishableKey}

curl -sS -X POST "$api/analytics/v1/events" -H "X-API-Key: $key" \\
  -H 'Content-Type: application/json' -d '{
    "user_id": "viewer-1",
    "events": [{
      "timestamp": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'",
      "content_view": {"content_id": "${id}", "content_type": "${type}", "view_type": "start"}
    }]
  }'`,
    ts: `${postFunction(origin, publishableKey)}

const view = { content_id: '${id}', content_type: '${type}', view_type: 'start' }
const events = [{ timestamp: new Date().toISOString(), content_view: view }]
console.log(await post('/analytics/v1/events', { user_id: 'viewer-1', events }))`,
    html: post
      ? `${linesOf(origin, post)}
<script type="module">
  import { createTracker } from '${origin}/sdk/tracker.js'

  const tracker = createTracker({
    url: '${origin}',
    key: '${publishableKey}',
  })
  ${
    post.kind === 'video'
      ? `document.querySelector('marquee-player').tracker = tracker`
      : `tracker.view({
    content_id: '${id}',
    content_type: '${type}',
    view_type: 'start',
  })`
  }
</script>`
      : '',
  }
}

const linesOf = (origin: string, { kind, feedId, id }: NonNullable<Published['post']>): string =>
  kind === 'video'
    ? `<script type="module" src="${origin}/sdk/player.js"></script>
<marquee-player post="${feedId}/${id}"></marquee-player>`
    : `<iframe src="${origin}/embed/${feedId}/${id}" width="640" height="360"
  style="border: 0" allow="fullscreen"></iframe>`

const postFunction = (origin: string, key: string): string =>
  `const api = '${origin}'
const key = '${key}'

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(api + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}`
