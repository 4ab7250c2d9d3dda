-- What has happened waits in a table of its own until it is written down who is told of it. It has one index, and refers
-- to nothing: whoever changes a video pays for one short row. A message used to be written twice, with seven indexes
-- each time.
create table webhook_outbox (
  seq bigint generated always as identity primary key,
  org_id text not null,
  -- Null: of the organization, and so of all its projects.
  project_id text,
  kind text not null,
  resource text not null,
  data jsonb not null,
  happened_at timestamptz not null default clock_timestamp()
);

insert into webhook_outbox (seq, org_id, project_id, kind, resource, data, happened_at)
overriding system value
select seq, org_id, project_id, kind, resource, data, happened_at from webhook_messages where id is null;
delete from webhook_messages where id is null;
select setval(pg_get_serial_sequence('webhook_outbox', 'seq'),
  (select coalesce(max(last_value), 1) from pg_sequences
    where quote_ident(schemaname) || '.' || quote_ident(sequencename) = pg_get_serial_sequence('webhook_messages', 'seq')));

drop index webhook_messages_untold;
alter table webhook_messages alter seq drop identity, alter id set not null;
-- Messages come in the order of their times, which is all that this kind of index has to know.
drop index webhook_messages_by_time;
create index webhook_messages_by_time on webhook_messages using brin (happened_at);

create or replace function record_message(of_project text, happened text, what text, facts jsonb) returns void language sql as $$
  insert into webhook_outbox (org_id, project_id, kind, resource, data)
  select org_id, id, happened, what, jsonb_build_object('project_id', id) || facts
  from projects where id = of_project and deleted_at is null
$$;

create or replace function plan_happens() returns trigger language plpgsql as $$
begin
  insert into webhook_outbox (org_id, kind, resource, data)
  values (new.id, 'plan.changed', new.id, jsonb_build_object('org_id', new.id, 'plan', new.plan, 'plan_before', old.plan));
  -- Payments change plans, unless somebody says that they do it.
  insert into audit_entries (org_id, actor, action, resource, resource_name, before, after)
  values (new.id, coalesce(nullif(current_setting('marquee.actor', true), ''), 'billing'), 'plan.changed', new.id, new.name,
    jsonb_build_object('plan', old.plan), jsonb_build_object('plan', new.plan));
  return null;
end $$;

-- Until when somebody has it; null where nobody does. In no index, so that taking a delivery changes its row in place,
-- for which its page has room.
alter table webhook_deliveries add column held_until timestamptz;
alter table webhook_deliveries set (fillfactor = 50);
-- Nearly all are delivered: those that are not are found by indexes of their own.
drop index webhook_deliveries_by_state;
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, seq) where state = 'failed';
