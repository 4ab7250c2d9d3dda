import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { MAX_PIXELS, MAX_PROFILE_BYTES, refuseTooLarge } from '../inspect/limits.ts'
import { type Hdr, hdrOf, toneMapped } from './hdr.ts'
import type { Pixels } from './pixels.ts'

/** The part of libheif that is used here; a pointer is an offset in its memory. */
interface Libheif {
  HEAPU8: Uint8Array
  HEAP32: Int32Array
  heif_error_code: { heif_error_Ok: unknown }
  heif_colorspace: { heif_colorspace_RGB: unknown }
  heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown }
  heif_context_alloc(): Wrapped
  heif_context_free(context: Wrapped): void
  heif_context_read_from_memory(context: Wrapped, bytes: Buffer): { code: unknown }
  heif_js_context_get_primary_image_handle(context: Wrapped): Wrapped
  heif_image_handle_release(handle: Wrapped): void
  heif_image_handle_get_width(handle: Wrapped): number
  heif_image_handle_get_height(handle: Wrapped): number
  heif_image_handle_has_alpha_channel(handle: Wrapped): number
  heif_js_decode_image2(handle: Wrapped, colorspace: unknown, chroma: unknown): Decoded
  heif_image_release(image: Wrapped): void
  _malloc(bytes: number): number
  _free(pointer: number): void
  _heif_context_set_maximum_image_size_limit(context: number, side: number): void
  _heif_image_get_decoding_warnings(image: number, first: number, into: number, most: number): number
  _heif_image_handle_get_ispe_width(handle: number): number
  _heif_image_handle_get_ispe_height(handle: number): number
  _heif_image_handle_get_raw_color_profile_size(handle: number): number
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, into: number): void
  _heif_image_handle_get_nclx_color_profile(error: number, handle: number, into: number): void
  _heif_nclx_color_profile_free(profile: number): void
  _heif_decode_image(
    error: number,
    handle: number,
    into: number,
    colorspace: number,
    chroma: number,
    options: number,
  ): void
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number
  _heif_image_get_bits_per_pixel_range(image: number, channel: number): number
  _heif_image_get_width(image: number, channel: number): number
  _heif_image_get_height(image: number, channel: number): number
  _heif_image_release(image: number): void
}
interface Wrapped {
  $$: { ptr: number }
  code?: unknown
}
interface Decoded {
  code?: unknown
  image: Wrapped
  channels: { width: number; height: number; stride: number; data: Uint8Array }[]
}

/** A code, a code that says more, and a message. */
const HEIF_ERROR_BYTES = 12
const MAX_WARNINGS = 64
// Two places of the file disagree on how colours are coded; libheif has picked one.
const COLOUR_MISMATCH = 152

let loaded: Libheif | undefined

/** The main picture of a HEIC, upright: libheif has already applied the file's own turns. */
export function decodeHeic(bytes: Buffer): Pixels & { profile: Buffer | undefined } {
  loaded ??= load()
  try {
    return decode(loaded, bytes)
  } catch (error) {
    // It may have been left half way through; the next file gets a fresh one.
    loaded = undefined
    throw error
  }
}

function load(): Libheif {
  const require = createRequire(import.meta.url)
  const wasmBinary = readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm'))
  return require('libheif-js/libheif-wasm/libheif.js')({ wasmBinary })
}

function decode(heif: Libheif, bytes: Buffer) {
  const context = heif.heif_context_alloc()
  // What the file declares is checked below; the coded picture inside may still be larger than that.
  heif._heif_context_set_maximum_image_size_limit(context.$$.ptr, Math.ceil(Math.sqrt(MAX_PIXELS)))
  const { code } = heif.heif_context_read_from_memory(context, bytes)
  if (code !== heif.heif_error_code.heif_error_Ok) throw new Error('not a readable HEIF')
  const handle = heif.heif_js_context_get_primary_image_handle(context)
  if (!handle || handle.code) throw new Error('no main picture')
  const { ptr } = handle.$$
  refuseTooLarge({
    width: heif._heif_image_handle_get_ispe_width(ptr),
    height: heif._heif_image_handle_get_ispe_height(ptr),
  })
  refuseTooLarge({
    width: heif.heif_image_handle_get_width(handle),
    height: heif.heif_image_handle_get_height(handle),
  })

  const hdr = hdrOf(colourCodes(heif, ptr))
  const profile = hdr ? undefined : colorProfile(heif, ptr)
  const pixels = hdr ? sdrPixelsOf(heif, ptr, hdr) : pixelsOf(heif, handle)
  heif.heif_image_handle_release(handle)
  heif.heif_context_free(context)
  return { ...pixels, profile }
}

function pixelsOf(heif: Libheif, handle: Wrapped): Pixels {
  const channels = heif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = heif.heif_chroma
  const decoded = heif.heif_js_decode_image2(
    handle,
    heif.heif_colorspace.heif_colorspace_RGB,
    channels === 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
  )
  const plane = decoded.channels?.[0]
  if (decoded.code || !plane) throw new Error('the picture cannot be decoded')
  refuseMissingTiles(heif, decoded.image.$$.ptr)
  const { width, height, stride, data } = plane
  const row = width * channels
  const packed = Buffer.allocUnsafe(row * height)
  for (let y = 0; y < height; y++) packed.set(data.subarray(y * stride, y * stride + row), y * row)
  heif.heif_image_release(decoded.image)
  return { data: packed, width, height, channels }
}

// Numbers of libheif's own enumerations, which its names for JavaScript leave out.
const RGB = 1
const INTERLEAVED_16_BITS = 14
const INTERLEAVED = 10

/** The same of a picture in high dynamic range, brought into that of a usual screen. Its transparency, if any, is lost. */
function sdrPixelsOf(heif: Libheif, handle: number, hdr: Hdr): Pixels {
  const at = heif._malloc(HEIF_ERROR_BYTES + 8)
  const [pointer, stride] = [at + HEIF_ERROR_BYTES, at + HEIF_ERROR_BYTES + 4]
  heif._heif_decode_image(at, handle, pointer, RGB, INTERLEAVED_16_BITS, 0)
  const image = heif.HEAP32[pointer >> 2]!
  if (heif.HEAP32[at >> 2] !== 0 || !image) throw new Error('the picture cannot be decoded')
  refuseMissingTiles(heif, image)
  const width = heif._heif_image_get_width(image, INTERLEAVED)
  const height = heif._heif_image_get_height(image, INTERLEAVED)
  const bits = heif._heif_image_get_bits_per_pixel_range(image, INTERLEAVED)
  const plane = heif._heif_image_get_plane_readonly(image, INTERLEAVED, stride)
  const samples = { start: plane, stride: heif.HEAP32[stride >> 2]!, width, height, bits }
  const data = toneMapped(heif.HEAPU8, samples, hdr)
  heif._heif_image_release(image)
  heif._free(at)
  return { data, width, height, channels: 3 }
}

/** Of an nclx box, by their numbers in ITU-T H.273; undefined where there is none. */
function colourCodes(heif: Libheif, handle: number): { primaries: number; transfer: number } | undefined {
  const at = heif._malloc(HEIF_ERROR_BYTES + 4)
  heif.HEAP32[(at + HEIF_ERROR_BYTES) >> 2] = 0
  heif._heif_image_handle_get_nclx_color_profile(at, handle, at + HEIF_ERROR_BYTES)
  const found = heif.HEAP32[(at + HEIF_ERROR_BYTES) >> 2]!
  heif._free(at)
  if (!found) return undefined
  // A byte of version, and behind it, where a number may stand, the codes.
  const codes = { primaries: heif.HEAP32[(found + 4) >> 2]!, transfer: heif.HEAP32[(found + 8) >> 2]! }
  heif._heif_nclx_color_profile_free(found)
  return codes
}

/** Photos are made of tiles; libheif leaves out those that it cannot decode, and only warns. */
function refuseMissingTiles(heif: Libheif, image: number): void {
  const at = heif._malloc(MAX_WARNINGS * HEIF_ERROR_BYTES)
  const count = heif._heif_image_get_decoding_warnings(image, 0, at, MAX_WARNINGS)
  const subcodes = Array.from({ length: count }, (_, i) => heif.HEAP32[(at + i * HEIF_ERROR_BYTES + 4) >> 2])
  heif._free(at)
  if (subcodes.some((subcode) => subcode !== COLOUR_MISMATCH)) throw new Error('tiles are missing')
}

function colorProfile(heif: Libheif, handle: number): Buffer | undefined {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle)
  if (size === 0 || size > MAX_PROFILE_BYTES) return undefined
  const at = heif._malloc(HEIF_ERROR_BYTES + size)
  heif._heif_image_handle_get_raw_color_profile(at, handle, at + HEIF_ERROR_BYTES)
  const profile = Buffer.from(heif.HEAPU8.slice(at + HEIF_ERROR_BYTES, at + HEIF_ERROR_BYTES + size))
  heif._free(at)
  return profile
}
