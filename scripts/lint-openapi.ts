import path from 'node:path'
import { createConfig, lint } from '@redocly/openapi-core'

/** Lints docs/openapi.json: by the strictest set there is, and by rules that it leaves out. Warnings count. */
const file = path.join(path.dirname(import.meta.dirname), 'docs/openapi.json')
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'component-name-unique': 'error',
    'no-duplicated-tag-names': 'error',
    'no-invalid-media-type-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-invalid-schema-examples': 'error',
    'no-required-schema-properties-undefined': 'error',
    'operation-operationId-unique': 'error',
    'operation-parameters-unique': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'path-not-include-query': 'error',
    'tag-description': 'error',
    // An installation that is not told its address is at localhost.
    'no-server-example.com': 'off',
    // What people open in a browser leads on, and answers nothing itself.
    'operation-2xx-response': 'off',
    // Health and readiness take nothing that could be wrong.
    'operation-4xx-response': 'off',
    // Fixed addresses beside templates, such as /policies/attachments/{attachment_id}, are the interface's.
    'no-ambiguous-paths': 'off',
  },
})

const problems = await lint({ ref: file, config })
for (const { ruleId, message, location } of problems)
  process.stderr.write(`${location[0]?.pointer ?? ''} ${ruleId}: ${message}\n`)
process.stdout.write(`docs/openapi.json: ${problems.length} problems\n`)
process.exitCode = problems.length > 0 ? 1 : 0
