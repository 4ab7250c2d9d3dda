import { oneOf, replicatedUrls, secret, size, text, wholeNumber } from './settings.ts'

/** Where events are kept, and how long on the way there. */
export const eventSettings = {
  spoolLimitBytes: size(
    'MARQUEE_EVENTS_SPOOL_LIMIT',
    '10GiB',
    'Disk for events on their way to the engine, and kept after it. When it is used up, events are refused with 503.',
    { min: 2 ** 24 },
  ),
  spoolKeepSeconds: wholeNumber(
    'MARQUEE_EVENTS_SPOOL_KEEP',
    604800,
    'Seconds that events are kept beside the engine after it has them, to make its database again should that be damaged.',
  ),
  eventsMemoryBytes: size(
    'MARQUEE_EVENTS_MEMORY',
    '1GiB',
    'Memory for the embedded DuckDB; what it needs beyond that it keeps on disk.',
    { min: 2 ** 27 },
  ),
  eventsPatienceSeconds: wholeNumber(
    'MARQUEE_EVENTS_PATIENCE',
    30,
    'Seconds after which a report that has no answer yet is ended, in the engine too, and answered with 503.',
    { min: 1, max: 3600 },
  ),
  eventsAcknowledge: oneOf(
    'MARQUEE_EVENTS_ACKNOWLEDGE',
    ['auto', 'spool', 'engine'],
    'auto',
    'Where events have to be before they are acknowledged: on the disk of the process, or in the engine, so that nothing is lost with that disk. `auto` is `engine` where ClickHouse has replicas.',
  ),
  clickhouseShards: replicatedUrls(
    'MARQUEE_CLICKHOUSE_URL',
    'HTTP addresses of the ClickHouse servers that keep events, one for each shard, separated by commas; where a shard has replicas, all of its with | between them. Default: an embedded DuckDB in the data folder.',
  ),
  clickhouseCluster: text(
    'MARQUEE_CLICKHOUSE_CLUSTER',
    undefined,
    'Name of the cluster in the configuration of those servers. Needed where there are several shards.',
  ),
  clickhouseDatabase: text(
    'MARQUEE_CLICKHOUSE_DATABASE',
    'marquee',
    'Database to use there; made where there is none.',
  ),
  clickhouseUser: text('MARQUEE_CLICKHOUSE_USER', 'default', 'User to sign in as there.'),
  clickhousePassword: secret('MARQUEE_CLICKHOUSE_PASSWORD', 'Password of that user.'),
}
