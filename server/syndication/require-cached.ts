import { notFound } from '../base/errors.ts'
import type { ResponseCache, VersionedResponse } from '../feeds/index.ts'

type Get = ResponseCache['get']

/** An answer that is cached by its version; 404 where there is nothing to answer. */
export async function requireCached(
  cache: ResponseCache,
  name: string,
  { version, read }: { version: Parameters<Get>[1]; read: Parameters<Get>[2] },
): Promise<VersionedResponse> {
  const response = await cache.get(name, version, read)
  if (!response) throw notFound()
  return response
}
