-- What an organization sees of itself over time: requests that failed, storage, and what its payment provider told.

-- The last of each organization; those before them are deleted as new ones come. Never a body, a query or a credential.
create table failed_requests (
  id bigint generated always as identity primary key,
  org_id text not null references organizations on delete cascade,
  -- That of the key; users have none.
  project_id text,
  at timestamptz not null,
  request_id text not null,
  method text not null,
  -- The address as the interface writes it, and as it was asked for.
  route text not null,
  path text not null,
  status smallint not null,
  error text not null,
  details text,
  -- A key's or a user's id.
  caller text not null,
  duration_ms double precision not null
);
create index failed_requests_of_organization on failed_requests (org_id, id desc);

-- Each project once a day, with the plan of that day. A project that is gone stays in the history of its organization.
create table usage_samples (
  day date not null,
  project_id text not null,
  org_id text not null references organizations on delete cascade,
  plan text not null check (plan in ('free', 'pro', 'custom', 'pay_as_you_go')),
  storage_used bigint not null,
  storage_limit bigint not null,
  videos bigint not null,
  images bigint not null,
  primary key (day, project_id)
);
create index usage_samples_of_organization on usage_samples (org_id, day);

create index billing_events_of_organization on billing_events ((change ->> 'org_id')) where change is not null;
