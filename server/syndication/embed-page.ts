import { type CdnUrl, mediaSources } from '../base/cdn-url.ts'
import type { ProjectId } from '../base/ids.ts'
import type { Feed, Post, PostVideo } from '../feeds/index.ts'
import { isListed, isPrivate, pictureOf, type SharedPicture, type SizeUrl, titleOf } from './about-post.ts'
import { embedUrl, feedUrl, oembedUrl } from './addresses.ts'
import type { EmbedQuery } from './schemas.ts'
import type { ShowFeedDeps } from './show-feed.ts'
import { attributesOf, element, escapeText } from './xml.ts'

const SHARED_PICTURE = { width: 1280, height: 1280 }

const STYLE = `html,body{height:100%;margin:0;background:#000;color:#fff;font:16px/1.5 system-ui,sans-serif}
marquee-player,marquee-feed{display:block;width:100%;height:100%}
figure{height:100%;margin:0;display:grid;place-items:center}
figure img{max-width:100%;max-height:100vh;object-fit:contain}
main{height:100%}.gone{height:100%;display:grid;place-content:center;text-align:center;padding:16px;box-sizing:border-box}
.gone p{margin:0}
h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}`

/** Only what the player needs, and any site may show it: there is nothing on it to be clicked by mistake. */
export function embedPolicy(cdnUrl: CdnUrl, projectId?: ProjectId): string {
  const cdn = mediaSources(cdnUrl, projectId)
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The controls bring their styles with them, inside each element.
    "style-src 'unsafe-inline'",
    `img-src 'self' ${cdn} data: blob:`,
    `media-src ${cdn} blob: data:`,
    `connect-src 'self' ${cdn}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ')
}

/** A post as a page for an iframe. Scripts are named from the page on, wherever the service is. */
export function postPage(
  post: Post,
  options: EmbedQuery,
  { baseUrl, sizeUrl }: { baseUrl: string; sizeUrl: SizeUrl },
): string {
  const shared = pictureOf(post, SHARED_PICTURE, { sizeUrl, token: options.token })
  const title = titleOf(post)
  const page = embedUrl(baseUrl, post.feed_id, post.id)
  const head = [
    ...(post.description ? [meta('description', post.description)] : []),
    link('canonical', page),
    element('link', {
      rel: 'alternate',
      type: 'application/json+oembed',
      href: oembedUrl(baseUrl, page),
      title,
    }),
    ...(isPrivate(post) || !isListed(post) ? [NOT_INDEXED] : []),
    // Whoever follows these has no token.
    ...(isPrivate(post) ? [] : toldToOthers(post, page, title, shared!)),
    ...(post.video ? playerTags(post, '../../') : []),
  ]
  // There is a picture wherever there is a token for it.
  if (!shared) return htmlPage(title, head, notice('This post is private.'))
  const shown = post.video ? player(post, post.video, options, shared) : picture(post, title, options)
  return htmlPage(title, head, shown)
}

/** A public feed as a page for an iframe: one post on the screen, the next by a swipe. */
export function feedPage(feed: Feed, { baseUrl, cdnUrl }: Pick<ShowFeedDeps, 'baseUrl' | 'cdnUrl'>): string {
  const page = embedUrl(baseUrl, feed.id)
  const rss = { rel: 'alternate', type: 'application/rss+xml', title: feed.name }
  const head = [
    ...(feed.description ? [meta('description', feed.description)] : []),
    link('canonical', page),
    element('link', { ...rss, href: feedUrl(baseUrl, feed.id, 'rss') }),
    property('og:type', 'website'),
    property('og:title', feed.name),
    property('og:url', page),
    // Also, where it changes, the page and what it may load change together.
    element('link', {
      rel: 'preconnect',
      href: new URL(cdnUrl.of(feed.project_id as ProjectId)).origin,
      crossorigin: true,
    }),
    '<script type="module" src="../sdk/player/feed.js"></script>',
  ]
  return htmlPage(feed.name, head, `<marquee-feed${attributesOf({ feed: feed.id })}></marquee-feed>`)
}

/** What a viewer sees where there is nothing to be seen. */
export function gonePage(): string {
  return htmlPage('Not available', [NOT_INDEXED], notice('This post is not available.'))
}

const NOT_INDEXED = '<meta name="robots" content="noindex"/>'

const notice = (text: string) => `<div class="gone"><p>${text}</p></div>`

function player(post: Post, video: PostVideo, options: EmbedQuery, shared: SharedPicture): string {
  const isOn = (flag: string | undefined) =>
    flag === undefined || /^(0|false)$/.test(flag) ? undefined : true
  const attributes = attributesOf({
    post: `${post.feed_id}/${post.id}`,
    heading: titleOf(post),
    poster: `${video.poster.file.url}${opening(post, options)}`,
    token: isPrivate(post) ? options.token : undefined,
    thumbhash: video.poster.thumbhash,
    autoplay: isOn(options.autoplay),
    muted: isOn(options.muted),
    loop: isOn(options.loop),
    start: options.start,
    captions: options.captions || undefined,
  })
  const shown = element('img', { src: shared.url, alt: titleOf(post) })
  return `<marquee-player${attributes}></marquee-player><noscript><figure>${shown}</figure></noscript>`
}

function picture(post: Post, title: string, options: EmbedQuery): string {
  const { file, width, height } = post.image!
  return `<figure>${element('img', { src: `${file.url}${opening(post, options)}`, width, height, alt: title })}</figure>`
}

/** Behind addresses of private media. */
function opening(post: Post, { token }: EmbedQuery): string {
  return isPrivate(post) && token ? `?token=${encodeURIComponent(token)}` : ''
}

/** For search engines, and for those who share the page. */
function toldToOthers(post: Post, page: string, title: string, shared: SharedPicture): string[] {
  // A "<" could end the script.
  const text = JSON.stringify(linkedData(post, page, title, shared)).replaceAll('<', '\\u003c')
  return [...sharingTags(post, page, title, shared), `<script type="application/ld+json">${text}</script>`]
}

/** Asked for at once, side by side: the scripts, what the post shows, and its playlist. */
function playerTags(post: Post, root: string): string[] {
  const scripts = ['index', 'hls', 'media-chrome'].map((name) => `${root}sdk/player/${name}.js`)
  return [
    ...scripts.map((href) => link('modulepreload', href)),
    element('link', {
      rel: 'preload',
      as: 'fetch',
      href: `${root}posts/v1/feeds/${post.feed_id}/${post.id}`,
      crossorigin: true,
    }),
    `<script type="module" src="${scripts[0]}"></script>`,
  ]
}

function sharingTags(post: Post, page: string, title: string, shared: SharedPicture): string[] {
  const { video } = post
  return [
    property('og:type', video ? 'video.other' : 'website'),
    property('og:title', title),
    ...(post.description ? [property('og:description', post.description)] : []),
    property('og:url', page),
    property('og:image', shared.url),
    property('og:image:width', shared.width),
    property('og:image:height', shared.height),
    ...(video
      ? [
          property('og:video', page),
          ...(page.startsWith('https:') ? [property('og:video:secure_url', page)] : []),
          property('og:video:type', 'text/html'),
          property('og:video:width', video.width),
          property('og:video:height', video.height),
          property('og:video:duration', Math.round(video.duration)),
          meta('twitter:card', 'player'),
          meta('twitter:player', page),
          meta('twitter:player:width', video.width),
          meta('twitter:player:height', video.height),
        ]
      : [meta('twitter:card', 'summary_large_image')]),
    meta('twitter:title', title),
    ...(post.description ? [meta('twitter:description', post.description)] : []),
    meta('twitter:image', shared.url),
  ]
}

/** For search engines, by schema.org. */
function linkedData(post: Post, page: string, title: string, shared: SharedPicture): object {
  const common = {
    '@context': 'https://schema.org',
    name: title,
    description: post.description || title,
    uploadDate: post.created_at,
    thumbnailUrl: [shared.url],
  }
  if (!post.video) return { ...common, '@type': 'ImageObject', contentUrl: post.image!.file.url, url: page }
  const { duration, width, height, chapters, file } = post.video
  return {
    ...common,
    '@type': 'VideoObject',
    duration: `PT${duration}S`,
    width,
    height,
    embedUrl: page,
    contentUrl: file.url,
    ...(chapters.length > 0 && {
      hasPart: chapters.map(({ title: name, start_time_sec, end_time_sec }) => ({
        '@type': 'Clip',
        name,
        startOffset: start_time_sec,
        endOffset: end_time_sec,
        url: `${page}?start=${start_time_sec}`,
      })),
    }),
  }
}

function htmlPage(title: string, head: string[], body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
${element('title', {}, title)}
${head.join('\n')}
<style>${STYLE}</style>
</head>
<body><main>${element('h1', {}, title)}${body}</main></body>
</html>
`
}

function meta(name: string, content: string | number): string {
  return element('meta', { name, content })
}

function property(name: string, content: string | number): string {
  return element('meta', { property: name, content })
}

function link(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeText(href)}"/>`
}
