// What a page does with an upload address: it gives it, as it is, to the clients that people use.
import Uppy from '@uppy/core'
import Tus from '@uppy/tus'
import { Upload } from 'tus-js-client'

/** Without an end: how long a service takes to start again is up to the machine. */
const retryDelays = Array.from({ length: 10_000 }, () => 200)

function byTus(file: File, uploadUrl: string): Promise<void> {
  return new Promise((resolve, reject) => {
    new Upload(file, { uploadUrl, retryDelays, onSuccess: () => resolve(), onError: reject }).start()
  })
}

async function byUppy(file: File, uploadUrl: string): Promise<void> {
  const uppy = new Uppy().use(Tus, { uploadUrl, retryDelays })
  uppy.addFile({ name: file.name, type: file.type, data: file })
  const result = await uppy.upload()
  const [failed] = result?.failed ?? []
  if (failed) throw new Error(String(failed.error))
}

function upload(client: 'tus' | 'uppy', url: string): void {
  const file = document.querySelector('input')!.files![0]!
  const outcome = (client === 'uppy' ? byUppy : byTus)(file, url).then(() => 'sent', String)
  Object.assign(globalThis, { outcome })
}

Object.assign(globalThis, { upload })
