export interface Row {
  /** What breaks. */
  fault: string
  promise: string
  /** The files that break it, below `test/`. */
  files: string[]
}

/** What docs/faults.md tells of, in its order; whether it is kept is for the run to say. */
export const PROMISES: Row[] = [
  {
    fault:
      'The service is killed (`kill -9`) at an `await` between receiving a request and acknowledging it; the list of these points is taken from a run, for uploads, images, videos, posts, events, keys, changes, deletions and payment events',
    promise: 'It has happened, or it has not and can be sent again. There is no half of it.',
    files: ['faults/kill-points.test.ts'],
  },
  {
    fault: 'The service is killed again and again while clients write',
    promise: 'Everything that was acknowledged is there, once.',
    files: [
      'faults/kill-loop.test.ts',
      'faults/kill-uploads.test.ts',
      'faults/post-kill.test.ts',
      'faults/event-kill.test.ts',
    ],
  },
  {
    fault: 'The service is killed while it fetches or makes a film',
    promise:
      'It goes on where it was, and the film plays all along. A film that its service died of three times is not tried again, and says so.',
    files: ['faults/import-kill.test.ts', 'faults/video-kill.test.ts', 'faults/video-programs.test.ts'],
  },
  {
    fault: 'Films are deleted while they are made, or by one process while another makes them',
    promise: 'Nothing of them is left.',
    files: ['faults/video-delete.test.ts'],
  },
  {
    fault:
      'The service or its database is killed while a receiver of webhooks fails, hangs, redirects and lies',
    promise: 'The receiver is told all that happened, in order for each thing, and nothing else.',
    files: ['faults/webhook-kill.test.ts'],
  },
  {
    fault: 'The service or the billing component is killed while payment events come; its database is away',
    promise: '503 until an event is stored. Each has one effect.',
    files: ['faults/billing-component.test.ts', 'faults/billing-database.test.ts'],
  },
  {
    fault: 'The same thing at once: `complete` fifty times, one payment event a hundred times',
    promise: 'One image, one answer; one effect.',
    files: ['faults/at-once.test.ts'],
  },
  {
    fault: 'The disk is full, and is freed',
    promise:
      '503 with `Retry-After`, nothing half done; once there is room, the same requests are taken without a hand.',
    files: ['faults/full-disk.test.ts'],
  },
  {
    fault: 'A folder on the disk is missing',
    promise: 'What needs it fails and says so; the rest goes on.',
    files: ['faults/missing-folder.test.ts'],
  },
  {
    fault: 'PostgreSQL shuts down, crashes, recovers, is cut off in the middle of a transaction',
    promise:
      '503 with `Retry-After` for what it could not take; what was acknowledged is there for everybody.',
    files: ['faults/database-outages.test.ts', 'platform/postgres-lost-connections.test.ts'],
  },
  {
    fault: 'PostgreSQL undoes a transaction for the sake of another (deadlock, serialization)',
    promise: 'It is done again by itself; where it still cannot be, the answer is a 503 with `Retry-After`.',
    files: ['faults/undone-transactions.test.ts'],
  },
  {
    fault:
      'PostgreSQL, S3, ClickHouse or Redis is away, slow, cut off in the middle of an answer, or answers garbage',
    promise:
      'What was acknowledged is there; the rest is a 503 that says when to come again. Afterwards all is well without a hand.',
    files: ['faults/engines-fail.test.ts', 'faults/video-outages.test.ts'],
  },
  {
    fault:
      'The network between processes and engines comes apart, without anybody being told: one that answers is cut off from everything, from PostgreSQL or from Redis, or hears nothing of what it asks',
    promise:
      'What was acknowledged is there. Whom clients still reach says 503; the others go on; afterwards all is well without a hand.',
    files: ['faults/partition.test.ts'],
  },
  {
    fault:
      'The engine of events stands still, is killed, or its database is damaged; the spool is damaged in the middle',
    promise:
      'Events are taken meanwhile, and count once afterwards. A damaged request costs itself alone, and is said.',
    files: ['faults/event-outages.test.ts', 'faults/event-damage.test.ts'],
  },
  {
    fault: 'A clock is ten minutes ahead or behind, and is set back while it runs',
    promise:
      'Nothing stands still until the time is what it was; processes whose clocks differ understand each other.',
    files: ['faults/clock.test.ts'],
  },
  {
    fault: 'A worker is paused (`SIGSTOP`) past its lease, and wakes',
    promise: 'Its work is done by another, and it changes nothing of that.',
    files: ['faults/paused-worker.test.ts'],
  },
  {
    fault:
      'ffmpeg crashes, hangs, wants more memory than it may have, or is missing; a child that makes images is killed, hangs or grows',
    promise:
      'It is ended with all its processes, and takes down its own job only. The reason is told where the file is to blame, and only there.',
    files: ['faults/video-programs.test.ts', 'media/faults.test.ts', 'faults/memory.test.ts'],
  },
  {
    fault: 'A file is cut off, encrypted, damaged, or of an odd kind',
    promise: 'What can be played plays; what cannot is refused with its reason.',
    files: ['faults/odd-films.test.ts', 'faults/odd-kinds.test.ts', 'faults/video-cut-off.test.ts'],
  },
  {
    fault: 'A track comes, or a segment is made, while the job that makes a film looks for the last time',
    promise: 'All of it is made, and progress says so when it is.',
    files: ['faults/video-progress.test.ts'],
  },
  {
    fault:
      'PostgreSQL or every process at once is killed; a start meets another, a taken port, a folder that cannot be one; nobody reads the output',
    promise: 'It recovers by itself, or ends with one line that says what to do. Nothing is left running.',
    files: ['faults/processes.test.ts', 'faults/lost-readers.test.ts'],
  },
  {
    fault: 'A backup or a restore is killed in the middle',
    promise: 'Nothing of it is taken for whole; done again, it is complete.',
    files: ['faults/backup-kill.test.ts'],
  },
  {
    fault: 'All kinds of load at once, for long',
    promise: 'Memory, handles, processes, temporary files and tables stay flat.',
    files: ['faults/soak.test.ts'],
  },
]
