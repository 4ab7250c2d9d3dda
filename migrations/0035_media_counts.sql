-- A page of a million is as fast as one of a thousand: whatever it is sorted by is the order of an index, and how many there are
-- was counted before it is asked for.

-- All that is changed here, before any of it: whoever writes holds a file or an image first, and would wait for the rest, and this
-- for them. It gives way before anybody is refused for that, and tries again.
do $$
begin
  loop
    begin
      perform set_config('lock_timeout', '500ms', true);
      lock table files, images, media_items, attached_items in access exclusive mode;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.1);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end $$;

-- What lists are sorted by that their rows did not have. Every row changes, so the indexes are made again when all is in place:
-- following each change would take them many times as long.
set local maintenance_work_mem = '256MB';
drop index media_items_by_duration, media_items_by_metadata, media_items_by_name, media_items_by_size, media_items_by_text,
  media_items_by_time, media_items_by_visibility, media_items_failed, media_items_in_progress, media_items_of_kind,
  media_items_of_kind_by_visibility;
drop index attached_items_by_metadata, attached_items_by_text, attached_items_by_time, attached_items_by_visibility,
  attached_items_failed, attached_items_in_progress;

-- The bytes that a name begins with, as many as an index takes.
create function name_start(name bytea) returns bytea language sql immutable as $$ select substring(name for 200) $$;

alter table media_items add column name_start bytea, add column updated_at timestamptz,
  add column is_attached boolean not null default false;
update media_items m set name_start = name_start(f.name), updated_at = f.updated_at,
  is_attached = coalesce(i.attached_to_video, false)
from files f left join images i on i.file_id = f.id where f.id = m.file_id;
alter table media_items alter column name_start set not null, alter column updated_at set not null;

-- Those of attached_items that the library shows too, and posters, which it does not.
alter table attached_items add column kind text check (kind in ('image', 'poster')), add column size bigint,
  add column name_start bytea, add column updated_at timestamptz;
update attached_items a set kind = case when i.poster_of is null then 'image' else 'poster' end, size = f.size,
  name_start = name_start(f.name), updated_at = f.updated_at
from images i join files f on f.id = i.file_id where i.id = a.id;
alter table attached_items alter column kind set not null, alter column size set not null, alter column name_start set not null,
  alter column updated_at set not null;

create index media_items_by_duration on media_items (project_id, duration, id);
create index media_items_by_metadata on media_items using gin (metadata jsonb_path_ops);
create index media_items_by_name on media_items (project_id, sort_name, id);
create index media_items_by_size on media_items (project_id, size, id);
create index media_items_by_text on media_items using gin (trigrams(search));
alter index media_items_by_text alter column 1 set statistics 0;
create index media_items_by_time on media_items (project_id, created_at, id);
create index media_items_by_visibility on media_items (project_id, visibility, created_at, id);
create index media_items_failed on media_items (project_id, created_at, id) where status = 'error';
create index media_items_in_progress on media_items (project_id, created_at, id) where not is_made;
create index media_items_of_kind on media_items (project_id, kind, created_at, id);
create index media_items_of_kind_by_bytes on media_items (project_id, kind, name_start, id);
create index media_items_of_kind_by_change on media_items (project_id, kind, updated_at, id);
create index media_items_of_kind_by_size on media_items (project_id, kind, size, id);
create index media_items_of_kind_by_visibility on media_items (project_id, kind, visibility, created_at, id);
create index media_items_unattached on media_items (project_id, created_at, id) where kind = 'image' and not is_attached;
-- Images have no duration, and are before all videos in the order of it.
create index videos_by_duration on media_items (project_id, duration, id) where kind = 'video';
create index attached_items_by_bytes on attached_items (project_id, name_start, id);
create index attached_items_by_change on attached_items (project_id, updated_at, id);
create index attached_items_by_metadata on attached_items using gin (metadata jsonb_path_ops);
create index attached_items_by_size on attached_items (project_id, size, id);
create index attached_items_by_text on attached_items using gin (trigrams(search));
alter index attached_items_by_text alter column 1 set statistics 0;
create index attached_items_by_time on attached_items (project_id, created_at, id);
create index attached_items_by_visibility on attached_items (project_id, visibility, created_at, id);
create index attached_items_failed on attached_items (project_id, created_at, id) where status = 'error';
create index attached_items_in_progress on attached_items (project_id, created_at, id) where not is_made;
-- Lists of images go by these now.
drop index images_attached;

create or replace function list_media(
  item text, project text, file text, item_kind text, seconds double precision, made timestamptz)
returns void language sql as $$
  with f as (select id, name, description, status, size, visibility, metadata, updated_at from files where id = file for share)
  insert into media_items (id, project_id, file_id, kind, status, size, duration, sort_name, search, created_at, is_made,
    visibility, metadata, name_start, updated_at)
  select item, project, f.id, item_kind, f.status, f.size, seconds, sorted_name(f.name),
    searched_text(item, f.name, f.description), made, item_kind = 'image' or film_is_made(f.id),
    coalesce(f.visibility, 'public'), f.metadata, name_start(f.name), f.updated_at from f
  on conflict (id) do update set duration = excluded.duration
$$;

create or replace function image_is_listed() returns trigger language plpgsql as $$
begin
  if new.width is not null and new.deleted_at is null and new.poster_of is null then
    perform list_media(new.id, new.project_id, new.file_id, 'image', 0, new.created_at);
    update media_items set is_attached = new.attached_to_video
    where id = new.id and is_attached is distinct from new.attached_to_video;
  else
    delete from media_items where id = new.id;
  end if;
  return null;
end $$;
drop trigger images_are_listed on images;
create trigger images_are_listed after update of width, deleted_at, poster_of, attached_to_video on images
  for each row when (
    (old.width, old.deleted_at, old.poster_of, old.attached_to_video)
      is distinct from (new.width, new.deleted_at, new.poster_of, new.attached_to_video))
  execute function image_is_listed();

-- The plan is taken before the item, by everybody who takes both.
create or replace function file_is_listed() returns trigger language plpgsql as $$
begin
  perform from playback_plans where file_id = new.id for no key update;
  update media_items set status = new.status, size = new.size, sort_name = sorted_name(new.name),
    search = searched_text(id, new.name, new.description), visibility = coalesce(new.visibility, 'public'),
    metadata = new.metadata, name_start = name_start(new.name), updated_at = new.updated_at
  where file_id = new.id;
  return null;
end $$;
drop trigger files_are_listed on files;
create trigger files_are_listed after update of name, description, status, size, visibility, metadata, updated_at on files
  for each row when (
    (old.name, old.description, old.status, old.size, old.visibility, old.metadata, old.updated_at)
    is distinct from (new.name, new.description, new.status, new.size, new.visibility, new.metadata, new.updated_at))
  execute function file_is_listed();

-- With the video whose poster it is.
drop function attach_image(text, text, text, timestamptz);
create function attach_image(item text, project text, file text, made timestamptz, video text) returns void language sql as $$
  with f as (select id, name, description, status, size, visibility, metadata, updated_at from files where id = file for share)
  insert into attached_items (id, project_id, file_id, kind, status, size, name_start, visibility, metadata, search, created_at,
    updated_at)
  select item, project, f.id, case when video is null then 'image' else 'poster' end, f.status, f.size, name_start(f.name),
    coalesce(f.visibility, 'public'), f.metadata, searched_text(item, f.name, f.description), made, f.updated_at from f
  on conflict (id) do update set kind = excluded.kind
$$;

create or replace function image_is_attached() returns trigger language plpgsql as $$
begin
  if new.attached_to_video and new.width is not null and new.deleted_at is null then
    perform attach_image(new.id, new.project_id, new.file_id, new.created_at, new.poster_of);
  else
    delete from attached_items where id = new.id;
  end if;
  return null;
end $$;
drop trigger images_are_attached on images;
create trigger images_are_attached after update of width, deleted_at, attached_to_video, poster_of on images
  for each row when (
    (old.width, old.deleted_at, old.attached_to_video, old.poster_of)
      is distinct from (new.width, new.deleted_at, new.attached_to_video, new.poster_of))
  execute function image_is_attached();

create or replace function file_is_attached() returns trigger language plpgsql as $$
begin
  update attached_items set status = new.status, size = new.size, name_start = name_start(new.name),
    visibility = coalesce(new.visibility, 'public'), metadata = new.metadata,
    search = searched_text(id, new.name, new.description), updated_at = new.updated_at
  where file_id = new.id;
  return null;
end $$;
drop trigger files_are_attached on files;
create trigger files_are_attached after update of name, description, status, size, visibility, metadata, updated_at on files
  for each row when (
    new.kind = 'image' and (old.name, old.description, old.status, old.size, old.visibility, old.metadata, old.updated_at)
      is distinct from (new.name, new.description, new.status, new.size, new.visibility, new.metadata, new.updated_at))
  execute function file_is_attached();

-- How many items the lists of a project have. Rows of one kind add up: a change adds a row, so that nobody waits for whoever
-- else changes something; now and then many are made one.
create table media_counts (
  project_id text not null,
  list text not null check (list in ('media_items', 'attached_items')),
  kind text not null,
  visibility text not null,
  status text not null,
  is_made boolean not null,
  items bigint not null
);
create index media_counts_of_project on media_counts (project_id, list);

create function item_is_counted() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into media_counts (project_id, list, kind, visibility, status, is_made, items)
    values (old.project_id, tg_table_name, old.kind, old.visibility, old.status, old.is_made, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into media_counts (project_id, list, kind, visibility, status, is_made, items)
    values (new.project_id, tg_table_name, new.kind, new.visibility, new.status, new.is_made, 1);
  end if;
  return null;
end $$;
create trigger items_are_counted after insert or delete on media_items for each row execute function item_is_counted();
create trigger changed_items_are_counted after update of project_id, kind, visibility, status, is_made on media_items
  for each row when (
    (old.project_id, old.kind, old.visibility, old.status, old.is_made)
      is distinct from (new.project_id, new.kind, new.visibility, new.status, new.is_made))
  execute function item_is_counted();
create trigger items_are_counted after insert or delete on attached_items for each row execute function item_is_counted();
create trigger changed_items_are_counted after update of project_id, kind, visibility, status, is_made on attached_items
  for each row when (
    (old.project_id, old.kind, old.visibility, old.status, old.is_made)
      is distinct from (new.project_id, new.kind, new.visibility, new.status, new.is_made))
  execute function item_is_counted();

insert into media_counts (project_id, list, kind, visibility, status, is_made, items)
select project_id, 'media_items', kind, visibility, status, is_made, count(*) from media_items group by 1, 3, 4, 5, 6
union all
select project_id, 'attached_items', kind, visibility, status, is_made, count(*) from attached_items group by 1, 3, 4, 5, 6;
