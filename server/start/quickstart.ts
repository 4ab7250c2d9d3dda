import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'
import { newSeed, type Seed } from '../access/index.ts'
import type { Addresses } from './addresses.ts'

/** What a person or a script needs to begin; kept in the data folder for its owner's eyes only. */
export interface Quickstart extends Seed {
  base_url: string
  upload_url: string
  cdn_url: string
  access_token: string
}

const fileIn = (dataDir: string) => path.join(dataDir, 'quickstart.json')

export function readQuickstart(dataDir: string): Quickstart | undefined {
  const file = fileIn(dataDir)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** The seed of a first start, on disk before anything is made of it; one cut off goes on with its own. */
export function keepSeed(dataDir: string, addresses: Addresses): Seed {
  const known = readQuickstart(dataDir)
  if (known) return known
  const seed = newSeed()
  writeQuickstart(dataDir, { ...toWire(addresses), ...seed, access_token: '' })
  return seed
}

/** Later starts keep all but what can have changed: the addresses and the token. */
export function refreshQuickstart(
  dataDir: string,
  addresses: Addresses,
  accessToken: string | undefined,
): void {
  const known = readQuickstart(dataDir)
  if (known)
    writeQuickstart(dataDir, {
      ...known,
      ...toWire(addresses),
      access_token: accessToken ?? known.access_token,
    })
}

function toWire({ base, upload, cdn }: Addresses) {
  return { base_url: base, upload_url: upload, cdn_url: cdn }
}

function writeQuickstart(dataDir: string, content: Quickstart): void {
  const file = fileIn(dataDir)
  const half = `${file}.new`
  const handle = openSync(half, 'w', 0o600)
  writeSync(handle, `${JSON.stringify(content, null, 2)}\n`)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(half, file)
}
