import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateMultipartUploadCommand,
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { StartupError } from '../../server/base/errors.ts'
import { StorageUnavailable } from '../../server/platform/objects/errors.ts'
import type { ObjectStore } from '../../server/platform/objects/port.ts'
import { openS3Store } from '../../server/platform/objects/s3.ts'
import type { S3Options } from '../../server/platform/objects/s3-client.ts'
import { objectStoreContract } from './objects.contract.ts'
import { keysUnder, MiB, ownFolder, ownPrefix, readText } from './objects-contract/helpers.ts'
import { deny, findS3Server, newBucket } from './objects-s3-server.ts'

const server = findS3Server()

describe.skipIf('missing' in server)('objects in S3', () => {
  if ('missing' in server) return
  const bucket = newBucket()
  const options: S3Options = { ...server, bucket, forcePathStyle: true, createBucket: true }
  let store: ObjectStore

  objectStoreContract(() => openS3Store(options))
  beforeAll(async () => {
    store = await openS3Store(options)
  })
  afterAll(async () => {
    await store?.close()
    server.stop()
  })

  describe('addresses to put to', () => {
    const inAnHour = () => new Date(Date.now() + 3_600_000)
    const put = (address: string, body: string, contentType = 'image/png') =>
      fetch(address, { method: 'PUT', body, headers: { 'content-type': contentType } })

    test('take one object of the type and length they were made for', async () => {
      const key = `${ownPrefix()}a`
      const address = (await store.presignPut(key, {
        contentType: 'image/png',
        contentLength: 5,
        expiresAt: inAnHour(),
      }))!
      for (const refused of [
        await put(address, '12345', 'text/html'),
        await put(address, '123456'),
        await put(address, '1234'),
        await put(address.replace('/a?', '/b?'), '12345'),
      ])
        expect(refused.status).toBe(403)
      expect(await store.head(key)).toBeUndefined()
      expect((await put(address, '12345')).status).toBe(200)
      expect(await readText(store, key)).toBe('12345')
    })

    test('take any type and length where none was named', async () => {
      const key = `${ownPrefix()}a`
      const address = (await store.presignPut(key, { expiresAt: inAnHour() }))!
      expect((await put(address, 'anything', 'text/plain')).status).toBe(200)
      expect(await readText(store, key)).toBe('anything')
    })

    test('keep nothing of a body that is cut off', async () => {
      const key = `${ownPrefix()}a`
      const address = new URL((await store.presignPut(key, { contentLength: 1000, expiresAt: inAnHour() }))!)
      const socket = net.connect(Number(address.port), address.hostname)
      const target = address.pathname + address.search
      socket.write(`PUT ${target} HTTP/1.1\r\nhost: ${address.host}\r\ncontent-length: 1000\r\n\r\nhalf`)
      socket.end()
      socket.resume()
      await once(socket, 'close')
      expect(await store.head(key)).toBeUndefined()
    })

    test('stop working when they expire', async () => {
      const key = `${ownPrefix()}a`
      const expiresAt = new Date(Date.now() + 3000)
      const address = (await store.presignPut(key, { expiresAt }))!
      expect((await put(address, 'early')).status).toBe(200)
      await sleep(expiresAt.getTime() + 1100 - Date.now())
      expect((await put(address, 'late')).status).toBe(403)
      expect(await readText(store, key)).toBe('early')
    })

    test('cannot be made for the past, nor for longer than S3 allows', async () => {
      for (const ms of [-1000, 0, 8 * 86_400_000, Number.NaN])
        await expect(store.presignPut('a', { expiresAt: new Date(Date.now() + ms) })).rejects.toThrow(
          TypeError,
        )
    })

    test('name the host that clients reach', async () => {
      const signer = await openS3Store({ ...options, publicEndpoint: 'https://media.example.com' })
      onTestFinished(() => signer.close())
      const address = (await signer.presignPut('a/b', { expiresAt: inAnHour() }))!
      expect(address).toMatch(`https://media.example.com/${bucket}/a/b?`)
    })
  })

  test('have addresses to read from, until they expire', async () => {
    const key = `${ownPrefix()}a`
    await store.put(key, Buffer.from('0123456789'), { contentType: 'text/html' })
    const expiresAt = new Date(Date.now() + 3000)
    const plain = (await store.presignGet(key, { expiresAt }))!
    const typed = (await store.presignGet(key, { expiresAt, responseContentType: 'video/mp4' }))!
    const answers = await Promise.all([
      fetch(plain, { headers: { range: 'bytes=2-4' } }),
      fetch(typed),
      fetch(plain.replace('/a?', '/b?')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([206, 200, 403])
    const types = answers.map(({ headers }) => headers.get('content-type'))
    expect(types.slice(0, 2)).toEqual(['text/html', 'video/mp4'])
    expect(await answers[0]!.text()).toBe('234')
    await sleep(expiresAt.getTime() + 1100 - Date.now())
    expect((await fetch(plain)).status).toBe(403)
  })

  test('are swept of uploads that nobody will complete', async () => {
    const client = new S3Client({ ...server, forcePathStyle: true })
    onTestFinished(() => client.destroy())
    const target = { Bucket: bucket, Key: `${ownPrefix()}a` }
    await client.send(new CreateMultipartUploadCommand(target))
    expect(await store.sweepTemporary(3_600_000)).toBe(0)
    // It is dated by the server, whose clock may be ahead of ours by a moment.
    expect(await store.sweepTemporary(-10_000)).toBe(1)
    expect(await store.sweepTemporary(-10_000)).toBe(0)
  })

  test('need a bucket, which processes may make at the same time', async () => {
    const absent = { ...options, bucket: newBucket() }
    await expect(openS3Store({ ...absent, createBucket: false })).rejects.toThrow(StartupError)
    const opened = await Promise.all([1, 2, 3].map(() => openS3Store(absent)))
    for (const one of opened) {
      expect(await keysUnder(one)).toEqual([])
      await one.close()
    }
  })

  test('are in a bucket that lets pages in, as its owner wants it', async () => {
    const client = new S3Client({ ...server, forcePathStyle: true })
    onTestFinished(() => client.destroy())
    const Bucket = newBucket()
    const open = async (origins: string[], more: Partial<S3Options> = {}) => {
      const said: string[] = []
      const pages = { origins, onTrouble: (message: string) => void said.push(message) }
      await (await openS3Store({ ...options, ...more, bucket: Bucket, pages })).close()
      return said
    }
    const rules = async () => (await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules ?? []
    expect(await open(['https://a.example'])).toEqual([])
    const [ours] = await rules()
    expect(ours).toMatchObject({ AllowedMethods: ['PUT'], AllowedOrigins: ['https://a.example'] })
    const theirs = { ID: 'theirs', AllowedMethods: ['GET'], AllowedOrigins: ['*'] }
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [theirs, ours!] } }))
    expect(await open(['https://b.example'])).toEqual([])
    expect((await rules()).map(({ ID, AllowedOrigins }) => [ID, AllowedOrigins])).toEqual([
      ['theirs', ['*']],
      ['marquee-uploads', ['https://b.example']],
    ])

    await deny(client, Bucket, ['s3:PutBucketCORS'])
    expect(await open(['https://b.example'])).toEqual([])
    const [unset] = await open(['https://a.example', 'https://b.example'])
    expect(unset).toMatch(
      /could not be set \(.*AccessDenied.*\)\. Pages .* from https:\/\/a\.example, https:\/\/b/,
    )
    expect(unset).toMatch(
      /give this service's key s3:PutBucketCORS, or .* by MARQUEE_S3_DIRECT_UPLOADS=false\.$/,
    )
    await deny(client, Bucket, ['s3:GetBucketCORS', 's3:PutBucketCORS'])
    expect((await open(['https://b.example']))[0]).toMatch(
      /could not be read \(.*AccessDenied.*key s3:GetBucketCORS and s3:PutBucketCORS,/,
    )

    // Some servers know no such rules, and say so.
    const simple = http.createServer(({ url }, response) => {
      if (url!.includes('cors')) response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>')
      else response.end()
    })
    await once(simple.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void simple.close())
    const endpoint = `http://127.0.0.1:${(simple.address() as net.AddressInfo).port}`
    expect((await open(['*'], { endpoint }))[0]).toMatch(
      /could not be read \(S3 answered 501 NotImplemented\)/,
    )
  })

  test('refuse a wrong secret with one line', async () => {
    const wrong = { ...server.credentials, secretAccessKey: 'wrong' }
    const refused = openS3Store({ ...options, credentials: wrong })
    await expect(refused).rejects.toThrow(StartupError)
    await expect(refused).rejects.toThrow(/403/)
  })

  test('are unavailable, by name, when the server is out of reach', async () => {
    const line = await lineTo(server.endpoint)
    const distant = await openS3Store({ ...options, endpoint: line.endpoint })
    onTestFinished(() => distant.close())
    const prefix = ownPrefix()
    await distant.put(`${prefix}a`, Buffer.alloc(40 * MiB))

    const target = path.join(await ownFolder(), 'copy')
    const { stream } = (await distant.get(`${prefix}a`))!
    const reading = stream.toArray()
    const downloading = distant.download(`${prefix}a`, target)
    await once(stream, 'data')
    line.cut()
    await expect(reading).rejects.toThrow()
    await expect(downloading).rejects.toThrow()
    expect(await readdir(path.dirname(target))).toEqual([])

    for (const attempt of [
      () => distant.check(),
      () => distant.get(`${prefix}a`),
      () => distant.head(`${prefix}a`),
      () => distant.put(`${prefix}b`, Buffer.from('b')),
      () => distant.delete(`${prefix}a`),
      () => keysUnder(distant, prefix),
    ])
      await expect(attempt()).rejects.toThrow(StorageUnavailable)
    await expect(openS3Store({ ...options, endpoint: line.endpoint })).rejects.toThrow(StartupError)
    expect(await keysUnder(store, prefix)).toEqual([`${prefix}a`])
  })
})

/** A connection to the server that can be cut, now and for good. */
async function lineTo(endpoint: string) {
  const { hostname, port } = new URL(endpoint)
  const sockets = new Set<net.Socket>()
  const listener = net.createServer((near) => {
    const far = net.connect(Number(port), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(listener.address() as net.AddressInfo).port}`,
    cut() {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
