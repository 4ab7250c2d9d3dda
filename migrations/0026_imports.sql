-- Files that the service fetches itself, from an address that somebody gave. What has arrived of one is among the
-- resumable uploads; here is where it comes from, until it is complete.
create table imports (
  file_id text primary key references files on delete cascade,
  project_id text not null references projects on delete cascade,
  url text not null,
  -- What tells the version that has arrived from a later one: an ETag, or a date.
  validator text,
  -- Of the whole file, as its server says.
  size bigint,
  failure text,
  created_at timestamptz not null default now()
);
create index imports_of_project on imports (project_id) where failure is null;
