-- What payment providers tell: events as they came, the subscriptions that they add up to, and the plans that follow.

alter table organizations
  -- A plan may have an end that is known before: of a grace period, or of a subscription that was cancelled.
  add column plan_until timestamptz,
  add column plan_after text check (plan_after in ('free', 'pro', 'custom', 'pay_as_you_go')),
  -- What it was before the first subscription gave one: what it is again where subscriptions name none that is known.
  add column plan_unbilled text check (plan_unbilled in ('free', 'pro', 'custom', 'pay_as_you_go')),
  -- When the operator chose the plan by hand: only what happened later changes it.
  add column plan_set_at timestamptz,
  add constraint organizations_plan_ends check ((plan_until is null) = (plan_after is null));
create index organizations_by_plan_end on organizations (plan_until) where plan_until is not null;

-- The plan to go by, read as if it were a column: it ends on time, whether or not anybody has swept.
create function current_plan(o organizations) returns text language sql stable
  return case when o.plan_until <= now() then o.plan_after else o.plan end;

create table billing_events (
  provider text collate "C" not null,
  -- The provider's own; what comes twice comes with the same.
  id text collate "C" not null,
  scheme text not null,
  type text not null,
  -- When it happened, as the provider says; of two at the same time the lower rank comes first, then the lower id.
  occurred_at timestamptz not null,
  rank smallint not null,
  -- The subscription it is about, by the provider's id, and what it changes there. Null: it is kept, and left alone.
  subscription text collate "C",
  change jsonb,
  -- The very bytes that were signed.
  body bytea not null,
  received_at timestamptz not null default now(),
  primary key (provider, id),
  check ((subscription is null) = (change is null))
);
create index billing_events_of_subscription on billing_events (provider, subscription, occurred_at, rank, id)
  where subscription is not null;

-- What the events of each subscription add up to, in their order. Can be made again from them.
create table billing_subscriptions (
  provider text collate "C" not null,
  id text collate "C" not null,
  org_id text,
  plan text check (plan in ('free', 'pro', 'custom', 'pay_as_you_go')),
  status text,
  started_at timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  past_due_since timestamptz,
  ends_at timestamptz,
  -- The place of the last event in the order; null before the first.
  last_at timestamptz,
  last_rank smallint,
  last_event text collate "C",
  primary key (provider, id)
);
create index billing_subscriptions_of_organization on billing_subscriptions (org_id);
