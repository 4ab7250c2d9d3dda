interface Operation {
  operationId: string
  summary: string
  tags: [string]
  security?: Record<string, unknown>[]
  responses: Record<string, { $ref?: string; description?: string }>
}

export interface Description {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { description: string }> }
}

/** docs/interface.md: the rules that hold everywhere, then one row for each operation. */
export function interfacePage({ tags, paths, components }: Description): string {
  const operations = Object.entries(paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      call: `${method.toUpperCase()} ${address}`,
    })),
  )
  const wordsOf = ({ $ref, description }: { $ref?: string; description?: string }) =>
    $ref ? components.responses[$ref.split('/').at(-1)!]!.description : description!
  const isEverywhere = (status: string, words: string) => EVERYWHERE.get(status) === words

  function rowOf({ call, operationId, summary, security, responses }: (typeof operations)[number]): string {
    const own = Object.entries(responses)
      .filter(([status, response]) => status >= '400' && !isEverywhere(status, wordsOf(response)))
      .map(([status, response]) => `${status} ${wordsOf(response)}`)
    const success = Object.keys(responses).filter((status) => status < '400')
    const cells = [
      `\`${call}\``,
      `\`${operationId}\``,
      summary,
      credentialOf(security),
      success.join(', '),
      own.join('<br>'),
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  }

  const chapters = tags.map(({ name, description }) => {
    const rows = operations.filter(({ tags: [tag] }) => tag === name).map(rowOf)
    return `## ${name}\n\n${description}.\n\n${HEAD}\n${rows.join('\n')}\n`
  })
  return `${RULES}\n${chapters.join('\n')}\nThis page is generated from the routes by \`npm run generate\`.\n`
}

/** Refusals that mean the same wherever they come. */
const EVERYWHERE = new Map([
  ['413', 'Payload Too Large'],
  ['415', 'Unsupported Media Type'],
  ['429', 'Too Many Requests'],
  ['503', 'Service Unavailable'],
])

function credentialOf(security: Operation['security']): string {
  const names = (security ?? []).flatMap((one) => Object.keys(one))
  const words: Record<string, string> = {
    apiKey: 'key',
    keyInQuery: 'key in query',
    bearer: 'token',
    metricsToken: 'metrics token',
  }
  return names.length === 0 ? 'none' : [...new Set(names.map((name) => words[name] ?? name))].join(', ')
}

const HEAD = `| call | id | what it does | credential | answers | refusals of its own |
| --- | --- | --- | --- | --- | --- |`

const RULES = `# Interface

Every operation with its id, credential and words for refusals. The shapes of bodies, with examples, are in
[openapi.json](openapi.json) and at \`/docs\` of a running service; clients can be generated from either.

- **Credentials.** A key in \`X-API-Key\`, or a token in \`Authorization: Bearer\`. A token that may see several projects
  names one in \`X-Project-Id\`. See [access.md](access.md).
- **Refusals** are \`{code, error, details?}\` with the status in \`code\`. \`error\` is the operation's own word for that
  status, as listed below; \`details\` says what is wrong in a sentence. Beside those listed, 413, 415, 429 and 503 can
  come from anywhere and mean the same everywhere; a 503 and a 429 are worth sending again.
- **Ids** begin with their kind (\`vid_\`, \`img_\`, \`proj_\` …) and sort by the time at which they were made.
- **Times** are RFC 3339. **Sizes** are bytes.
- **Fields that an operation does not know** are ignored, except by reports and events, which refuse them.
- **Lists** are read in pages, by \`limit\` and \`offset\`.
- **Limits** are told in \`RateLimit\` and \`RateLimit-Policy\`; a refused request has \`Retry-After\`. See [limits.md](limits.md).
- **Every answer** has \`X-Request-Id\`, which is also in the log.
`
