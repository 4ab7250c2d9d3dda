import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { root } from '../support/service.ts'

interface Exchange {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  answer: unknown
}

/** Each request of the page, with the answer that follows it. */
function exchangesIn(page: string): Exchange[] {
  const blocks = page.matchAll(/```http\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)
  return [...blocks].map(([, request, answer]) => {
    const [head, body] = request!.trim().split(/\n\n([\s\S]*)/) as [string, string?]
    const [line, ...headers] = head.split('\n')
    const [method, address] = line!.split(' ') as [string, string]
    return {
      method,
      path: address,
      headers: Object.fromEntries(headers.map((header) => header.split(': ') as [string, string])),
      body,
      answer: JSON.parse(answer!),
    }
  })
}

test('what the page about analytics answers is what the service answers', async () => {
  const page = readFileSync(path.join(root, 'docs/analytics.md'), 'utf8')
  const exchanges = exchangesIn(page)
  // Every block of the page is part of one.
  expect(exchanges.length * 2).toBe(page.match(/```(http|json)\n/g)!.length)
  expect(exchanges.length).toBeGreaterThan(10)
  const { url, seed } = await composeForTest({
    env: { MARQUEE_ROLES: 'api' },
    clock: () => Date.parse('2026-11-02T12:05:00Z'),
  })
  for (const { method, path, headers, body, answer } of exchanges) {
    const type = body === undefined ? undefined : { 'content-type': 'application/json' }
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': seed.api_key, ...type, ...headers },
      body,
    })
    expect(await response.json(), `${method} ${path}`).toEqual(answer)
  }
})
