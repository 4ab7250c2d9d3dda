/** What the routes of reports have in common. */

import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { operation, type RequestParts } from '../../http/operation.ts'
import { untilGone } from '../../http/until-gone.ts'
import type { ReportDeps } from './allow-report.ts'

const NAMES =
  'A name that is not known, in the query or anywhere in the body, is a 400 that says the nearest.'

/** A report is ended when whoever asked for it has gone. */
export function until(reply: FastifyReply, deps: ReportDeps): ReportDeps {
  return { ...deps, signal: untilGone(reply) }
}

/** An operation that answers a report. */
export function report<P extends RequestParts, A extends Record<number, TSchema>>(about: {
  id: string
  summary: string
  description?: string
  optionalBody?: boolean
  request: P
  answers: A
}) {
  return operation({
    tag: 'Analytics',
    ...about,
    description: [about.description, NAMES].filter(Boolean).join(' '),
  })
}
