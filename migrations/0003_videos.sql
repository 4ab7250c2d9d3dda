-- Videos, what belongs to them, and the segments they are played from.

create table videos (
  id text primary key,
  project_id text not null references projects on delete cascade,
  file_id text not null unique references files on delete cascade,
  poster_id text not null unique references images on delete cascade,
  quality text not null check (quality in ('basic', 'shorts', 'pro')),
  -- The project's plan when the video was made.
  plan_type text not null,
  -- What the probe found; null until the upload is complete.
  duration double precision,
  width integer,
  height integer,
  bitrate bigint,
  codec text,
  framerate text,
  hdr boolean,
  chapters jsonb not null default '[]',
  -- Why the rest of its segments could not be made.
  failure text,
  created_at timestamptz not null default now()
);
create index videos_of_project on videos (project_id, created_at, id) where duration is not null;

-- The video whose poster an image is. Deferred, since the two refer to each other.
alter table images add column poster_of text references videos on delete set null deferrable initially deferred;
create unique index images_poster_of on images (poster_of) where poster_of is not null;

create table subtitles (
  id text primary key,
  video_id text not null references videos on delete cascade,
  position integer not null,
  language_code text not null,
  label text not null,
  name bytea not null,
  size integer not null,
  -- Clean WebVTT. Here rather than in storage, so that a whole set is replaced in one transaction.
  body text not null,
  created_at timestamptz not null default now(),
  unique (video_id, language_code)
);

create table audio_tracks (
  id text primary key,
  video_id text not null references videos on delete cascade,
  position integer not null,
  language_code text not null,
  label text not null,
  name bytea not null,
  format text not null,
  size bigint not null,
  created_at timestamptz not null default now(),
  unique (video_id, language_code)
);

-- How a file is cut into segments and which renditions it has; never changed once it is there.
create table playback_plans (
  file_id text primary key references files on delete cascade,
  plan jsonb not null,
  -- Bits a second of each rendition, once all of it is made.
  rates jsonb not null default '{}'
);

-- The segments that are made. Number -1 is a rendition's initialisation segment.
create table segments (
  file_id text not null references files on delete cascade,
  rendition text not null,
  number integer not null,
  bytes integer not null,
  primary key (file_id, rendition, number)
);

-- The segments that somebody makes right now and says so every few seconds.
create table segment_claims (
  file_id text not null references files on delete cascade,
  rendition text not null,
  number integer not null,
  holder text not null,
  claimed_until timestamptz not null,
  primary key (file_id, rendition, number)
);

-- Objects of files that are there, but that nothing refers to, yet or any more, until somebody has removed them.
create table loose_objects (
  prefix text primary key,
  due_at timestamptz not null
);
create index loose_objects_due on loose_objects (due_at);
