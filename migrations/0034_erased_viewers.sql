-- What is to be taken out of the spools of all processes that load events into the same engine; those that do not run
-- now do it when they start. Forgotten after a while, with the viewers that are named.
create table event_erasures (
  id bigint generated always as identity primary key,
  organization text not null,
  project text not null,
  viewer text,
  -- In the order of arrival: what came later stays.
  before bigint,
  asked_at timestamptz not null default now()
);
alter table event_loaders add column erased bigint not null default 0;

-- Viewers whose events were asked to be deleted. They are known by a hash alone: whoever asked knows whom they meant.
create table viewer_deletions (
  project_id text not null references projects on delete cascade,
  viewer_hash bytea not null,
  requested_at timestamptz not null default now(),
  done_at timestamptz,
  failed_at timestamptz,
  primary key (project_id, viewer_hash)
);
