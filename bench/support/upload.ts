import type { BegunImage, Image } from '../../server/images/schemas.ts'
import type { startService } from './service.ts'

export type Service = Awaited<ReturnType<typeof startService>>

/** Uploads to a service as an app does, in its two halves. */
export function uploaderTo({ url, quickstart }: Service) {
  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'x-api-key': quickstart.api_key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<Answer>
  }

  return {
    async send(content: Buffer): Promise<string> {
      const { image_id, presigned_url } = await post<BegunImage>('/images/upload/init', {
        file_name: 'photo.jpg',
      })
      const sent = await fetch(presigned_url.replace('localhost', '127.0.0.1'), {
        method: 'PUT',
        body: new Uint8Array(content),
      })
      if (!sent.ok) throw new Error(`PUT answered ${sent.status}`)
      return image_id
    },
    /** Resolves when the image is ready, with the address that serves it. */
    async complete(imageId: string): Promise<string> {
      const { file } = await post<Image>('/images/upload/complete', { image_id: imageId })
      if (file.status !== 'ready') throw new Error(`the image is ${file.status}`)
      return file.url.replace('localhost', '127.0.0.1')
    },
  }
}
