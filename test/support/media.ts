import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Api } from './api.ts'

/** Uploads as an app does: init, PUT, and, unless told otherwise, complete. */
export function uploaderOf(api: Api) {
  const init = (file_name = 'photo.jpg', more: { file_size?: number; resumable?: boolean } = {}) =>
    api.post('/images/upload/init', { file_name, ...more })
  const put = (url: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
    fetch(url.replace('localhost', '127.0.0.1'), { method: 'PUT', body, headers })
  const complete = (image_id: string, attached_to_video?: boolean) =>
    api.post('/images/upload/complete', { image_id, attached_to_video })
  async function send(content: Buffer, fileName?: string) {
    const { body } = await init(fileName)
    const sent = await put(body.presigned_url, new Uint8Array(content))
    if (sent.status !== 200) throw new Error(`PUT answered ${sent.status}: ${await sent.text()}`)
    return body.image_id as string
  }
  async function upload(content: Buffer, fileName?: string) {
    return complete(await send(content, fileName))
  }
  return { init, put, complete, send, upload }
}

/** Bytes that storage holds for projects, by adding up what is on disk. */
export function bytesOnDisk(dataDir: string): number {
  return filesBelow(path.join(dataDir, 'objects/media')).reduce((sum, file) => sum + statSync(file).size, 0)
}

/** Everything that storage holds of media: also uploads not completed, and halves of anything. */
export function objectsOnDisk(dataDir: string): string[] {
  const [objects, temporary] = [path.join(dataDir, 'objects'), path.join(dataDir, 'temporary')]
  const packages = path.join(objects, 'sdk')
  const media = filesBelow(objects).filter((file) => !file.startsWith(packages))
  return [...media, ...filesBelow(temporary)]
}

/** Nothing where there is no such folder. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}

export const local = (url: string) => url.replace('localhost', '127.0.0.1')
