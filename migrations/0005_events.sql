-- Processes that take events, where several load them into one ClickHouse. Each has a spool of its own, whose
-- last events only it can load: a report in one asks the others to do so, and waits.
create table event_loaders (
  spool text primary key,
  -- Renewed every few seconds; who falls silent is not waited for.
  seen_at timestamptz not null default now(),
  -- How often it was asked, and the last of these after which everything was loaded.
  asked bigint not null default 0,
  answered bigint not null default 0
);
