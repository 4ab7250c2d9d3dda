import type { Operations } from './api-types.ts'
import type { CallOptions, Client, Given, Path } from './client.ts'

interface Page {
  data: unknown[]
  pagination: { offset: number; total: number; next_cursor?: string }
}

/** Addresses that answer lists in pages. */
export type ListPath = {
  [P in Path<'get'>]: Operations['get'][P] extends { answer: Page } ? P : never
}[Path<'get'>]

export type Item<P extends ListPath> = Operations['get'][P] extends { answer: { data: (infer T)[] } }
  ? T
  : never

type ListArguments<P extends ListPath> =
  Record<never, never> extends Given<'get', P>
    ? [options?: Given<'get', P> & CallOptions]
    : [options: Given<'get', P> & CallOptions]

/**
 * All items of a list, page after page as they are wanted: by cursor where the list has one, so that no item comes twice
 * and none is skipped whatever happens meanwhile.
 */
export async function* paginate<P extends ListPath>(
  client: Client,
  path: P,
  ...given: ListArguments<P>
): AsyncGenerator<Item<P>, void, undefined> {
  const options = (given[0] ?? {}) as CallOptions & { path?: object; query?: object }
  let next: object = {}
  while (true) {
    const request = { ...options, query: { ...options.query, ...next } }
    const { data, pagination } = await client.send(
      'get',
      path,
      request,
      (answer) => answer.json() as Promise<Page>,
    )
    yield* data as Item<P>[]
    const { next_cursor: cursor, offset, total } = pagination
    const end = offset + data.length
    if (cursor) next = { cursor, offset: undefined }
    else if (!('cursor' in next) && data.length > 0 && end < total) next = { offset: end }
    else return
  }
}
