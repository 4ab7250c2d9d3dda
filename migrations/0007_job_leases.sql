-- Who works on a job, what is asked for meanwhile, and what came of its tries.
alter table jobs
  -- A lease's own name, another for each take. Only who knows it may renew it or end it.
  add column owner text,
  -- Asked for again while it runs: it runs once more after that.
  add column successor_at timestamptz,
  add column enqueued_at timestamptz not null default now(),
  add column last_error text,
  -- It has failed for the last time, and waits for the operator.
  add column failed_at timestamptz;

drop index jobs_due;
create index jobs_due on jobs (queue, due_at) where failed_at is null;
