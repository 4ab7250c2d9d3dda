import type { Schemas } from '../../../../packages/client/src/node.ts'
import { type Film, LAUNCHED } from '../library/films.ts'
import type { History } from './calendar.ts'
import type { Chances } from './chances.ts'
import { BROKEN, type Person } from './people.ts'
import { lengthOf, watchFilm } from './plays.ts'

/** What there is to see, under the ids that the service gave. */
export interface Shown {
  films: { film: Film; videoId: string; postId: string }[]
  pictures: { imageId: string; postId: string }[]
  feedId: string
}

type DemoEvent = Schemas['AnalyticsEvent']

const text = (seconds: number) => `${Math.max(0, seconds).toFixed(3)}s`

const SOURCES = [
  { weight: 34, source: 'direct' },
  { weight: 26, source: 'search' },
  { weight: 22, source: 'social' },
  { weight: 18, source: 'newsletter' },
]
const PLATFORMS = [
  { weight: 5, name: 'link' },
  { weight: 4, name: 'messages' },
  { weight: 2, name: 'mail' },
]
const COMMENTS = [
  'Could watch this for hours.',
  'More of this, please.',
  'Is there a longer one?',
  'Best with headphones.',
]

export interface VisitDeps {
  person: Person
  shown: Shown
  history: History
  chances: Chances
}

/** One visit from its first event to its last. */
export function visit(deps: VisitDeps, day: number, begins: number, number: number): DemoEvent[] {
  const { person, shown, history, chances: draw } = deps
  const { machine, country } = person
  const session_id = `${person.id}-${number}`
  const events: DemoEvent[] = []
  let now = begins
  const wait = (from: number, to: number) => {
    now += draw.between(from, to) * 1000
  }
  const tell = (member: Omit<DemoEvent, 'timestamp'>, at = now) =>
    void events.push({ timestamp: new Date(Math.floor(at)).toISOString(), ...member } as DemoEvent)
  const look = (page: string, page_url: string) =>
    tell({
      interaction: {
        interaction_type: 'page_view',
        page,
        page_url,
        session_id,
        browser: machine.browser,
        device_type: machine.device,
      },
    })

  const isNews = day - history.launch >= 0 && day - history.launch < 4
  const utm_source = isNews && draw.happens(0.5) ? 'newsletter' : draw.pick(SOURCES).source
  tell({
    session_start: {
      utm_source,
      ...(isNews && { utm_campaign: 'northern-sky' }),
      browser: machine.browser,
      language: country.language,
      screen_resolution: machine.screen,
      platform: 'web',
      timezone: country.timezone,
      timezone_offset: -country.ahead * 60,
      touch_support: machine.device !== 'desktop',
    },
  })

  const out = shown.films.filter(({ film }) => isOut(film, history, day))
  if (draw.happens(0.88)) {
    wait(0.3, 1.5)
    look('landing', '/')
    wait(3, 25)
    // Who does not go on has seen the first page only.
    if (!draw.happens(0.74)) return events
  }
  look('feed', '/feed')
  wait(1, 6)
  tell({
    interaction: {
      interaction_type: 'scroll',
      page: 'feed',
      session_id,
      scroll_depth: Math.round(draw.between(0.1, 1) * 100) / 100,
    },
  })
  for (const picture of shown.pictures)
    if (draw.happens(0.13)) {
      wait(2, 9)
      tell({
        content_view: {
          ...{ content_id: picture.imageId, content_type: 'MEDIA_TYPE_IMAGE', feed_id: shown.feedId },
          ...{
            post_id: picture.postId,
            view_type: 'start',
            page: 'feed',
            watch_duration_ms: text(draw.between(1, 7)),
          },
        },
      })
      if (draw.happens(0.09 * person.keen)) like(picture.postId)
    }

  for (let again = 0.8, plays = 1; out.length > 0 && draw.happens(again); again *= 0.62, plays++) {
    wait(2, 12)
    const liked = out.map((one) => ({ ...one, weight: weightOf(one.film, isNews) }))
    playFilm(draw.pick(liked), `${session_id}-${plays}`)
  }
  return events

  function like(postId: string): void {
    tell({
      engagement: {
        engagement_type: 'like',
        resource_type: 'post',
        resource_id: postId,
        page: 'feed',
        device_type: machine.device,
      },
    })
  }

  function playFilm({ film, videoId, postId }: Shown['films'][number], play: string): void {
    const isBroken = machine.browser === BROKEN && day >= history.broken
    const slow = country.slow * (machine.device === 'mobile' ? 1.25 : 1)
    const page = draw.happens(0.8) ? ('feed' as const) : ('standalone' as const)
    const common = {
      ...{
        content_id: videoId,
        content_type: 'MEDIA_TYPE_VIDEO' as const,
        feed_id: shown.feedId,
        post_id: postId,
        page,
      },
      video_total_duration_ms: text(film.scene.seconds),
    }
    const measured = (interaction_type: string, click_x: number, click_y?: number) =>
      tell({
        interaction: {
          ...{
            interaction_type,
            element_type: 'video',
            element_id: videoId,
            session_id: play,
            page,
            browser: machine.browser,
          },
          ...{ click_x: Math.round(click_x), ...(click_y !== undefined && { click_y: Math.round(click_y) }) },
        },
      })
    tell({ content_view: { ...common, view_type: 'start', video_position_ms: '0s' } })

    const failure = isBroken ? 0.24 : 0.008 * slow
    const fails = draw.happens(failure)
    const failsAtOnce = fails && draw.happens(0.6)
    if (!failsAtOnce) {
      const startMs = Math.min(20_000, draw.skewed(520 * slow * (isBroken ? 2.4 : 1), 0.45))
      now += startMs
      measured('playback_start', startMs)
    }
    if (fails) {
      wait(0.5, failsAtOnce ? 2 : 9)
      tell({
        error: {
          ...{
            error_type: 'playback',
            error_code: isBroken ? 'MEDIA_ERR_DECODE' : 'MEDIA_ERR_NETWORK',
            session_id: play,
          },
          ...{
            resource_type: 'video',
            resource_id: videoId,
            browser: machine.browser,
            os: machine.os,
            device_type: machine.device,
          },
        },
      })
      return
    }

    const watched = watchFilm(film, person.keen, draw)
    const seconds = lengthOf(watched)
    for (let stalls = isBroken ? 0.7 : 0.035 * slow; draw.happens(stalls); stalls *= 0.5) {
      const stall = Math.min(30_000, draw.skewed(isBroken ? 2600 : 700, 0.5))
      now += stall
      measured('playback_stall', stall)
    }
    now += seconds * 1000
    const language = Object.keys(film.subtitles).find((one) => country.language.startsWith(one))
    tell({
      content_view: {
        ...common,
        view_type: watched.isComplete ? 'end' : 'watch',
        watch_duration_ms: text(seconds),
        video_position_ms: text(watched.passes.at(-1)![1]),
        segments: watched.passes.map(([from, to]) => ({ start_ms: text(from), end_ms: text(to), speed: 1 })),
        ...(language && machine.device === 'mobile' && { subtitle_language: language }),
      },
    })
    const height = isBroken || slow > 1.7 ? 360 : machine.device === 'mobile' && draw.happens(0.4) ? 480 : 720
    measured('playback_rung', seconds * 1000, height)
    const frames = seconds * 24
    measured('playback_frames', frames * (isBroken ? 0.06 : 0.003) * draw.next(), frames)

    wait(0.5, 4)
    const warmth = person.keen * (watched.isComplete ? 1 : 0.2)
    if (draw.happens(0.2 * warmth)) like(postId)
    if (draw.happens(0.11 * warmth)) {
      wait(1, 6)
      tell({
        engagement: {
          engagement_type: 'share',
          resource_type: 'post',
          resource_id: postId,
          page,
          share_platform: draw.pick(PLATFORMS).name,
        },
      })
    }
    if (draw.happens(0.025 * warmth)) {
      wait(6, 40)
      const comment_text = COMMENTS[Math.floor(draw.next() * COMMENTS.length)]!
      tell({
        engagement: {
          engagement_type: 'comment',
          resource_type: 'post',
          resource_id: postId,
          page,
          comment_text,
        },
      })
    }
  }
}

function isOut({ slug, since }: Film, history: History, day: number): boolean {
  return slug === LAUNCHED ? day >= history.launch : day >= Math.floor(since * history.days)
}

function weightOf({ slug, appeal }: Film, isNews: boolean): number {
  return slug === LAUNCHED && isNews ? appeal * 3 : appeal
}

/** Nothing that would be later than the end. */
export function before(events: DemoEvent[], history: History): DemoEvent[] {
  return events.filter(({ timestamp }) => Date.parse(timestamp) <= history.until)
}
