import type { FastifyReply, FastifyRequest } from 'fastify'
import { CACHING } from '../base/caching.ts'
import { Refusal } from '../base/errors.ts'
import type { ProjectId } from '../base/ids.ts'
import { OneFeed, OnePost, type VersionedResponse } from '../feeds/index.ts'
import { CACHE_HEADERS, NOT_CHANGED, sendCached } from '../http/cached-response.ts'
import { operation } from '../http/operation.ts'
import { bytesOf, contentOf, ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { embedPolicy, gonePage } from './embed-page.ts'
import { showOembed } from './oembed.ts'
import { RSS_TYPE } from './rss.ts'
import { EmbedQuery, Oembed, OembedQuery } from './schemas.ts'
import { showEmbed } from './show-embed.ts'
import { type ShowFeedDeps, showFeedPage, showPodcast, showRss } from './show-feed.ts'

const tag = 'Syndication'
const HTML_TYPE = 'text/html; charset=utf-8'
const open = { tag, credential: 'none', limit: 'public', sends: CACHE_HEADERS } as const
const errors = { 404: 'Not Found', 412: 'Precondition Failed' }
const HTML = { 200: bytesOf('the page', ['text/html']), 304: NOT_CHANGED }
const RSS = { 200: bytesOf('the feed', ['application/rss+xml']), 304: NOT_CHANGED }

/** Feeds and posts as other sites show them. All of it is for everybody. */
export function syndicationRoutes(deps: ShowFeedDeps): (app: App) => void {
  /** A page that any site may have in an iframe; also where there is nothing to show, for those who want a page. */
  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    show: () => Promise<VersionedResponse>,
    { isPublic } = { isPublic: true },
  ) {
    try {
      const page = await show()
      allowFrames(reply, page.projectId)
      return sendCached(request, reply, page, { isPublic, type: HTML_TYPE })
    } catch (error) {
      const isGone = error instanceof Refusal && error.status === 404
      if (!isGone || !request.headers.accept?.includes('text/html')) throw error
      allowFrames(reply)
      return reply.code(404).header('cache-control', CACHING.none).type(HTML_TYPE).send(gonePage())
    }
  }

  function allowFrames(reply: FastifyReply, projectId?: ProjectId): void {
    reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', embedPolicy(deps.cdnUrl, projectId))
  }

  return (app) => {
    app.get(
      '/embed/:feedId/:postId',
      operation({
        ...open,
        id: 'getEmbed',
        summary: 'A published post as a page for an iframe, with the player',
        errors,
        request: { params: OnePost, querystring: EmbedQuery },
        answers: HTML,
      }),
      (request, reply) =>
        sendPage(request, reply, () => showEmbed(request.params, request.query, deps), {
          isPublic: request.query.token === undefined,
        }),
    )

    app.get(
      '/embed/:feedId',
      operation({
        ...open,
        id: 'getFeedEmbed',
        summary: 'A public feed as a page for an iframe, to be swiped through',
        errors,
        request: { params: OneFeed },
        answers: HTML,
      }),
      (request, reply) => sendPage(request, reply, () => showFeedPage(request.params.feedId, deps)),
    )

    app.get(
      '/oembed',
      operation({
        ...open,
        sends: ['Cache-Control'],
        id: 'getOembed',
        summary: 'Describe an embedded page by oEmbed 1.0',
        errors: { 403: 'Forbidden', 404: 'Not Found', 501: 'Not Implemented' },
        request: { querystring: OembedQuery },
        answers: {
          200: contentOf('what to show', {
            'application/json': ref(Oembed),
            'text/xml': { type: 'string', format: 'binary' },
          }),
        },
      }),
      async (request, reply) => {
        const { type, body } = await showOembed(request.query, deps)
        reply.header('access-control-allow-origin', '*').header('cache-control', CACHING.oembed)
        return reply.type(type).send(body as never)
      },
    )

    for (const [kind, id, summary, show] of [
      ['rss', 'getFeedRss', 'The newest posts of a public feed as RSS 2.0', showRss],
      ['podcast', 'getFeedPodcast', 'The newest videos of a public feed as a podcast', showPodcast],
    ] as const)
      app.get(
        `/feeds/:feedId/${kind}`,
        operation({ ...open, id, summary, errors, request: { params: OneFeed }, answers: RSS }),
        async (request, reply) => {
          reply.header('access-control-allow-origin', '*')
          const response = await show(request.params.feedId, deps)
          return sendCached(request, reply, response, { isPublic: true, type: RSS_TYPE })
        },
      )
  }
}
