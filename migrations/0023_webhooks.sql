-- Webhooks to apps: what happened, who is told, and how each telling went.

-- Written by the transaction in which it happened, so that nothing is told that did not happen, and nothing that did is
-- lost. Until whoever is to be told is written down beside it, a message has no id.
create table webhook_messages (
  seq bigint generated always as identity primary key,
  id text unique,
  -- Its place among all that were written down so. Places have no gaps that fill up later, as those of seq do.
  told bigint unique,
  org_id text not null references organizations on delete cascade,
  -- Null: of the organization, and so of all its projects.
  project_id text references projects on delete cascade,
  kind text not null,
  -- What it happened to: messages about the same are delivered in their order.
  resource text not null,
  data jsonb not null,
  happened_at timestamptz not null default clock_timestamp()
);
create index webhook_messages_untold on webhook_messages (seq) where id is null;
create index webhook_messages_of_organization on webhook_messages (org_id, told);
create index webhook_messages_of_project on webhook_messages (project_id);
create index webhook_messages_by_time on webhook_messages (happened_at);

create table webhook_endpoints (
  id text primary key,
  project_id text not null references projects on delete cascade,
  url text not null,
  -- None: all kinds.
  kinds text[] not null,
  description text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Since when nothing has been taken; null where the last delivery was.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  constraint webhook_endpoints_say_why check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_endpoints_of_project on webhook_endpoints (project_id, id);

create table webhook_secrets (
  endpoint_id text not null references webhook_endpoints on delete cascade,
  secret text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Null: the one that is shown and rotated.
  expires_at timestamptz,
  primary key (endpoint_id, secret)
);

create table webhook_deliveries (
  endpoint_id text not null references webhook_endpoints on delete cascade,
  seq bigint not null references webhook_messages on delete cascade,
  resource text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  -- Until when it is tried.
  give_up_at timestamptz not null,
  -- When it may be taken; while somebody has it, when their hold on it ends unless they renew it.
  due_at timestamptz not null default now(),
  primary key (endpoint_id, seq)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where state = 'pending';
create index webhook_deliveries_in_line on webhook_deliveries (endpoint_id, resource, seq) where state = 'pending';
create index webhook_deliveries_by_state on webhook_deliveries (endpoint_id, state, seq);
create index webhook_deliveries_of_message on webhook_deliveries (seq);

create table webhook_attempts (
  endpoint_id text not null,
  seq bigint not null,
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  url text not null,
  request_headers jsonb not null,
  -- Null where nobody answered.
  status integer,
  response_headers jsonb,
  response_body text,
  error text,
  primary key (endpoint_id, seq, attempt),
  foreign key (endpoint_id, seq) references webhook_deliveries on delete cascade
);

create function record_message(of_project text, happened text, what text, facts jsonb) returns void language sql as $$
  insert into webhook_messages (org_id, project_id, kind, resource, data)
  select org_id, id, happened, what, jsonb_build_object('project_id', id) || facts
  from projects where id = of_project and deleted_at is null
$$;

-- When everything of it had been made for the first time.
alter table videos add column processed_at timestamptz;

create function video_happens() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('video_id', new.id);
  of_file record;
begin
  if old.duration is null and new.duration is not null then
    select name_as_text(name) as name, size into of_file from files where id = new.file_id;
    perform record_message(new.project_id, 'video.ready', new.id, facts || jsonb_build_object('name', of_file.name,
      'size', of_file.size, 'duration', new.duration, 'width', new.width, 'height', new.height));
  end if;
  if old.processed_at is null and new.processed_at is not null then
    perform record_message(new.project_id, 'video.processed', new.id, facts);
  end if;
  if old.failure is null and new.failure is not null then
    perform record_message(new.project_id, 'video.failed', new.id, facts || jsonb_build_object('reason', new.failure));
  end if;
  if old.deleted_at is null and new.deleted_at is not null and new.duration is not null then
    perform record_message(new.project_id, 'video.deleted', new.id, facts);
  end if;
  return null;
end $$;
create trigger videos_happen after update of duration, processed_at, failure, deleted_at on videos
  for each row execute function video_happens();

create function image_happens() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('image_id', new.id);
  of_file record;
begin
  -- Posters are no images of their own: their video tells of them.
  if new.poster_of is not null then return null; end if;
  if old.width is null and new.width is not null then
    select name_as_text(name) as name, size into of_file from files where id = new.file_id;
    perform record_message(new.project_id, 'image.ready', new.id, facts || jsonb_build_object('name', of_file.name,
      'size', of_file.size, 'width', new.width, 'height', new.height));
  end if;
  if old.deleted_at is null and new.deleted_at is not null and new.width is not null then
    perform record_message(new.project_id, 'image.deleted', new.id, facts);
  end if;
  return null;
end $$;
create trigger images_happen after update of width, deleted_at on images
  for each row execute function image_happens();

-- A feed that is deleted takes its posts along without a word about each.
create function post_happens() returns trigger language plpgsql as $$
declare
  post posts%rowtype;
  happened text;
begin
  if tg_op = 'DELETE' then
    post := old;
    happened := 'post.deleted';
  else
    post := new;
    happened := 'post.published';
  end if;
  perform record_message(feeds.project_id, happened, post.id, jsonb_strip_nulls(jsonb_build_object('post_id', post.id,
    'feed_id', post.feed_id, 'creator_id', post.creator_id, 'video_id', post.video_id, 'image_id', post.image_id)))
  from feeds where feeds.id = post.feed_id and feeds.deleted_at is null;
  return null;
end $$;
create trigger new_posts_happen after insert on posts for each row when (new.published) execute function post_happens();
create trigger posts_happen after update of published on posts
  for each row when (new.published and not old.published) execute function post_happens();
create trigger deleted_posts_happen after delete on posts
  for each row when (old.published) execute function post_happens();

-- Before it is deleted: what it was to become goes with it. A poster's address ends with that of its video.
create function upload_happens() returns trigger language plpgsql as $$
declare
  becomes text := coalesce(
    (select id from videos where file_id = old.id),
    (select i.id from images i where i.file_id = old.id and not exists (select from videos v where v.poster_id = i.id)));
begin
  if becomes is not null and old.upload_expires <= now() then
    perform record_message(old.project_id, 'upload.expired', becomes,
      jsonb_build_object(old.kind || '_id', becomes, 'kind', old.kind, 'name', name_as_text(old.name)));
  end if;
  return old;
end $$;
create trigger expired_uploads_happen before delete on files
  for each row when (old.status in ('uploading', 'processing') and old.deleted_at is null)
  execute function upload_happens();

create function plan_happens() returns trigger language plpgsql as $$
begin
  insert into webhook_messages (org_id, kind, resource, data)
  values (new.id, 'plan.changed', new.id, jsonb_build_object('org_id', new.id, 'plan', new.plan, 'plan_before', old.plan));
  -- Payments change plans, unless somebody says that they do it.
  insert into audit_entries (org_id, actor, action, resource, resource_name, before, after)
  values (new.id, coalesce(nullif(current_setting('marquee.actor', true), ''), 'billing'), 'plan.changed', new.id, new.name,
    jsonb_build_object('plan', old.plan), jsonb_build_object('plan', new.plan));
  return null;
end $$;
create trigger plans_happen after update of plan on organizations
  for each row when (old.plan is distinct from new.plan) execute function plan_happens();

-- Who changed what, from where and when. Only ever added to: what is old enough goes as a whole.
create table audit_entries (
  seq bigint generated always as identity primary key,
  org_id text not null references organizations on delete cascade,
  project_id text,
  -- A key, a user, or the operator at the machine itself.
  actor text not null,
  actor_address text,
  actor_agent text,
  action text not null,
  resource text not null,
  -- What a person calls it, as it was then.
  resource_name text,
  -- What was changed of it.
  before jsonb,
  after jsonb,
  at timestamptz not null default clock_timestamp()
);
create index audit_entries_of_organization on audit_entries (org_id, seq);
create index audit_entries_by_time on audit_entries (at);
create function audit_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only added to';
end $$;
create trigger audit_is_kept before update on audit_entries for each statement execute function audit_is_kept();
