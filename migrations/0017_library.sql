-- The library: videos and images of a project in one list, searched, filtered and sorted.

-- What people wrote about an image or a video. Empty: nothing.
alter table files add column description text not null default '';

-- A name as text. It may hold anything, NUL included, which text cannot: that becomes a space.
create function name_as_text(name bytea) returns text language plpgsql immutable as $$
begin
  while position('\x00'::bytea in name) > 0 loop
    name := overlay(name placing '\x20'::bytea from position('\x00'::bytea in name) for 1);
  end loop;
  return convert_from(name, 'UTF8');
end $$;

-- All that the library is searched, filtered and sorted by, in one row for each item that it shows: what was completed,
-- was not deleted, and is no poster. Kept by triggers on the tables that own the facts, each of which writes its own columns.
create table media_items (
  id text primary key,
  project_id text not null,
  file_id text not null unique references files on delete cascade,
  kind text not null check (kind in ('video', 'image')),
  status text not null,
  size bigint not null,
  -- Seconds of a video; an image sorts as if it had none.
  duration double precision not null default 0,
  -- In lower case, and no longer than an index takes.
  sort_name text collate "C" not null,
  -- Name, description and id in lower case, a line each.
  search text not null,
  created_at timestamptz not null
);

create function searched_text(id text, name bytea, description text) returns text language sql immutable as $$
  select lower(name_as_text(name)) || chr(10) || lower(description) || chr(10) || id
$$;
create function sorted_name(name bytea) returns text language sql immutable as $$
  select left(lower(name_as_text(name)), 100)
$$;

-- The file is held while it is read: whoever changes its name in this moment comes before or after, and is not lost.
create function list_media(item text, project text, file text, item_kind text, seconds double precision, made timestamptz)
returns void language sql as $$
  with f as (select id, name, description, status, size from files where id = file for share)
  insert into media_items (id, project_id, file_id, kind, status, size, duration, sort_name, search, created_at)
  select item, project, f.id, item_kind, f.status, f.size, seconds, sorted_name(f.name),
    searched_text(item, f.name, f.description), made from f
  on conflict (id) do update set duration = excluded.duration
$$;

create function video_is_listed() returns trigger language plpgsql as $$
begin
  if new.duration is not null and new.deleted_at is null then
    perform list_media(new.id, new.project_id, new.file_id, 'video', new.duration, new.created_at);
  else
    delete from media_items where id = new.id;
  end if;
  return null;
end $$;
create trigger new_videos_are_listed after insert on videos
  for each row when (new.duration is not null) execute function video_is_listed();
create trigger videos_are_listed after update of duration, deleted_at on videos
  for each row when ((old.duration, old.deleted_at) is distinct from (new.duration, new.deleted_at))
  execute function video_is_listed();

create function image_is_listed() returns trigger language plpgsql as $$
begin
  if new.width is not null and new.deleted_at is null and new.poster_of is null then
    perform list_media(new.id, new.project_id, new.file_id, 'image', 0, new.created_at);
  else
    delete from media_items where id = new.id;
  end if;
  return null;
end $$;
create trigger new_images_are_listed after insert on images
  for each row when (new.width is not null) execute function image_is_listed();
create trigger images_are_listed after update of width, deleted_at, poster_of on images
  for each row when (
    (old.width, old.deleted_at, old.poster_of) is distinct from (new.width, new.deleted_at, new.poster_of))
  execute function image_is_listed();

create function file_is_listed() returns trigger language plpgsql as $$
begin
  update media_items set status = new.status, size = new.size, sort_name = sorted_name(new.name),
    search = searched_text(id, new.name, new.description)
  where file_id = new.id;
  return null;
end $$;
create trigger files_are_listed after update of name, description, status, size on files
  for each row when (
    (old.name, old.description, old.status, old.size) is distinct from (new.name, new.description, new.status, new.size))
  execute function file_is_listed();

insert into media_items (id, project_id, file_id, kind, status, size, duration, sort_name, search, created_at)
select m.id, m.project_id, f.id, m.kind, f.status, f.size, m.duration, sorted_name(f.name),
  searched_text(m.id, f.name, ''), m.created_at
from (
  select id, project_id, file_id, 'video' as kind, duration, created_at from videos
  where duration is not null and deleted_at is null
  union all
  select id, project_id, file_id, 'image', 0, created_at from images
  where width is not null and deleted_at is null and poster_of is null
) m join files f on f.id = m.file_id;

create index media_items_by_time on media_items (project_id, created_at, id);
create index media_items_by_name on media_items (project_id, sort_name, id);
create index media_items_by_size on media_items (project_id, size, id);
create index media_items_by_duration on media_items (project_id, duration, id);
