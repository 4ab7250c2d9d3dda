import type { ScaleFigures } from '../../bench/support/figures.ts'
import { ladder } from '../../server/media/video/ladder.ts'
import { SEGMENT_SECONDS } from '../../server/media/video/timeline.ts'

/** What is to be carried. Each is a wish or a habit of viewers, and none is measured. */
export interface Wanted {
  videos: number
  eventsADay: number
  /** At the peak of the day. */
  viewersAtOnce: number
}

/** What the tables suppose. */
export const SUPPOSED = {
  minutes: 5,
  years: 3,
  peak: 3,
  fromTheCdn: 0.99,
  watchedBitrate: 3e6,
  eventsKeptDays: 365,
  /** Not more of a machine than this, so that there is room for what nobody has foreseen. */
  loaded: 0.6,
}

/**
 * What a unit costs, in dollars. These are examples to reckon with: nobody's price list, and not measured. Put the
 * prices of your own provider here, and run `npm run generate`.
 */
export const PRICES = {
  coreHour: 0.04,
  objectsGbMonth: 0.02,
  diskGbMonth: 0.1,
  objectPutsMillion: 5,
  objectGetsMillion: 0.4,
  originGb: 0.02,
  cdnGb: 0.01,
}

const GB = 1e9
const HOURS_A_MONTH = 730
const SECONDS_A_MONTH = HOURS_A_MONTH * 3600

/** Of each stream of a video: the first segment is half as long as the others. */
const SEGMENTS = 1 + Math.ceil((SUPPOSED.minutes * 60) / SEGMENT_SECONDS)

/** How many machines such as the measured one, how many bytes, how many bits a second. */
export function capacityOf({ videos, eventsADay, viewersAtOnce }: Wanted, figures: ScaleFigures) {
  const { minutes, years, peak, fromTheCdn, watchedBitrate, eventsKeptDays, loaded } = SUPPOSED
  const { bytes, rungs, encoded_minutes_an_hour } = figures
  const uploadsADay = videos / (years * 365)
  const rates = ladder('shorts', { width: 1920, height: 1080, framesPerSecond: 30 }).map(
    ({ maxRate }) => maxRate,
  )
  const bytesAMinute = (rates.reduce((sum, rate) => sum + rate) / 8) * 60
  const starts = viewersAtOnce / (minutes * 60)
  // A player fetches the pictures of one rung and the sound, which are streams of their own.
  const [pictures, sounds] = [starts * SEGMENTS, starts * SEGMENTS]
  const ofTheOrigin = 1 - fromTheCdn
  const busy =
    ofTheOrigin * (pictures / figures.picture_segments.median + sounds / figures.sound_segments.median)
  const machines = (asked: number, rate: number) => Math.ceil(asked / (rate * loaded))
  const eventsASecond = (eventsADay / 86_400) * peak
  const segmentsAVideo = SEGMENTS * (rungs + 1)
  return {
    starts,
    segmentsFromOrigin: (pictures + sounds) * ofTheOrigin,
    viewersBits: viewersAtOnce * watchedBitrate,
    originBits: viewersAtOnce * watchedBitrate * ofTheOrigin,
    eventsASecond,
    uploadsADay,
    segmentsADay: uploadsADay * segmentsAVideo,
    objectsBytes: videos * minutes * bytesAMinute,
    videoBytes: videos * bytes.video,
    segmentRows: videos * segmentsAVideo,
    segmentBytes: videos * segmentsAVideo * bytes.segment,
    events: eventsADay * eventsKeptDays,
    eventBytes: eventsADay * eventsKeptDays * bytes.event,
    forFeeds: machines(starts, figures.feed_pages.median),
    forSegments: machines(busy, 1),
    forEvents: machines(eventsASecond, figures.events.median),
    forEncoding: machines((uploadsADay * minutes * peak) / 24, encoded_minutes_an_hour.median),
  }
}

export type Capacity = ReturnType<typeof capacityOf>

/** Of a month, once everything is there. What viewers load all day is the mean, and not the peak. */
export function costsOf(has: Capacity, { machine }: ScaleFigures) {
  const machines = (count: number) => count * machine.cores * HOURS_A_MONTH * PRICES.coreHour
  const mean = SECONDS_A_MONTH / SUPPOSED.peak
  const gigabytes = (bitsASecond: number) => ((bitsASecond / 8) * mean) / GB
  const puts = (has.segmentsADay * 365) / 12
  const gets = has.segmentsFromOrigin * mean
  return {
    forFeeds: machines(has.forFeeds),
    forSegments: machines(has.forSegments),
    forEvents: machines(has.forEvents),
    forEncoding: machines(has.forEncoding),
    objects: (has.objectsBytes / GB) * PRICES.objectsGbMonth,
    objectCalls: (puts * PRICES.objectPutsMillion + gets * PRICES.objectGetsMillion) / 1e6,
    postgres: ((has.videoBytes + has.segmentBytes) / GB) * PRICES.diskGbMonth,
    clickhouse: (has.eventBytes / GB) * PRICES.diskGbMonth,
    fromTheOrigin: gigabytes(has.originBits) * PRICES.originGb,
    fromTheCdn: gigabytes(has.viewersBits) * PRICES.cdnGb,
  }
}
