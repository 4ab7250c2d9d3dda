import type { Client } from './client.ts'
import type { UploadSource } from './put.ts'
import type { Uploaded, UploadOptions } from './uploads.ts'

export interface BegunUpload {
  /** Where the content is sent. */
  url: string
  posterUrl?: string | undefined
  /** Makes what was sent into what was asked for. */
  complete(): Promise<Uploaded>
  /** Has the service forget it, and delete what has arrived. */
  discard(): Promise<unknown>
}

const IMAGE = /^image\/|\.(jpe?g|png|webp|gif|avif|hei[cf])$/i

/** Asks for addresses. What is begun and never completed is swept, and completing twice is done once: both may be repeated. */
export async function beginUpload(
  client: Client,
  source: UploadSource,
  options: UploadOptions & { signal: AbortSignal },
): Promise<BegunUpload> {
  const file = source as Partial<File>
  const file_name = options.name ?? file.name ?? 'upload'
  const kind = options.kind ?? (IMAGE.test(file.type || file_name) ? 'image' : 'video')
  const { feedId, signal, retries, onRetry } = options
  // Where it is known, the address takes no more; one of an S3 server no other length.
  const file_size = options.size ?? file.size
  const about = { file_name, ...(file_size && { file_size }) }
  const common = { signal, retries, onRetry, isRepeatable: true }
  // Completing decodes the beginning of the file: that may take longer than other calls.
  const patient = { ...common, timeout: 180_000 }
  // Whoever gave it up does not wait long for that; what is not discarded is swept when its address expires.
  const discard = (id: string) => () =>
    client.send('delete', `/${kind}s/${id}`, { retries: 0, timeout: 5000 }, async () => {})
  const video_quality = options.quality

  if (feedId) {
    const projectId = client.options.projectId ?? (await client.get('/project', common)).id
    const path = { projectId, feedId }
    const posts = '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/upload'
    const { post_id, content_id, content_upload_url, poster_upload_url } = await client.post(
      `${posts}/init`,
      {
        ...common,
        path,
        body: {
          ...about,
          content_type: kind,
          format: /\.(\w+)$/.exec(file_name)?.[1] ?? kind,
          creator_id: options.creatorId || undefined,
          description: options.description || undefined,
          video_quality,
        },
      },
    )
    return {
      url: content_upload_url,
      posterUrl: poster_upload_url,
      discard: discard(content_id),
      complete: async () => ({
        kind: 'post',
        post: await client.post(`${posts}/complete`, { ...patient, path, body: { post_id } }),
      }),
    }
  }

  if (kind === 'image') {
    const begun = await client.post('/images/upload/init', { ...common, body: about })
    const { image_id, presigned_url } = begun
    return {
      url: presigned_url,
      discard: discard(image_id),
      complete: async () => ({
        kind,
        image: await client.post('/images/upload/complete', { ...patient, body: { image_id } }),
      }),
    }
  }

  const { video_id, video_presigned_url, poster_presigned_url } = await client.post('/videos/upload/init', {
    ...common,
    body: { ...about, video_quality },
  })
  return {
    url: video_presigned_url,
    posterUrl: poster_presigned_url,
    discard: discard(video_id),
    complete: async () => ({
      kind,
      video: await client.post('/videos/upload/complete', { ...patient, body: { video_id } }),
    }),
  }
}
