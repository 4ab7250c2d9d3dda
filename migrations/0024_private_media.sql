-- Private media: who may see what, what apps keep about it, and the keys that they sign viewers' tokens with.

-- Null: nobody has said anything, and everybody who has the address may see it.
alter table files add column visibility text check (visibility in ('public', 'unlisted', 'private'));
-- What apps keep about their media: names and text.
alter table files add column metadata jsonb not null default '{}';
-- What new media of a project begins with.
alter table projects add column default_visibility text check (default_visibility in ('public', 'unlisted', 'private'));

-- A poster is seen by whoever may see its video, and by nobody else: it has the visibility of its video, whichever of the two
-- changes. Both hold the video's file, so that one comes after the other.
create function video_shows_poster() returns trigger language plpgsql as $$
begin
  update files f set visibility = new.visibility from images i, videos v
  where v.file_id = new.id and i.poster_of = v.id and f.id = i.file_id and f.visibility is distinct from new.visibility;
  return null;
end $$;
create trigger videos_show_posters after update of visibility on files
  for each row when (new.kind = 'video' and old.visibility is distinct from new.visibility)
  execute function video_shows_poster();

-- When the transaction commits: a poster is written down before its video is.
create function poster_is_shown() returns trigger language plpgsql as $$
begin
  update files f set visibility = film.visibility from videos v, files film
  where v.id = new.poster_of and film.id = v.file_id and f.id = new.file_id
    and f.visibility is distinct from film.visibility;
  return null;
end $$;
create constraint trigger posters_are_shown after insert or update on images
  deferrable initially deferred for each row when (new.poster_of is not null) execute function poster_is_shown();

-- Whose token opens a private file: that of its video, also for a poster, or that of its image.
create function media_of_file(file text) returns text language sql stable as $$
  select coalesce(
    (select id from videos where file_id = file),
    (select coalesce(poster_of, id) from images where file_id = file))
$$;

-- Posts say whether their media is private.
drop trigger files_change_posts on files;
create constraint trigger files_change_posts after update on files
  deferrable initially deferred for each row
  when ((old.name, old.format, old.size, old.status, old.visibility)
    is distinct from (new.name, new.format, new.size, new.status, new.visibility))
  execute function file_changes_posts();

-- All parts of a text of three letters in a row, each once. A text can only be part of another whose parts include its own,
-- which an index knows.
create function trigrams(given text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct three), '{}') from (
    select letter || lead(letter) over in_order || lead(letter, 2) over in_order as three
    from unnest(string_to_array(given, null)) with ordinality as letters (letter, place)
    window in_order as (order by place)
  ) parts where three is not null
$$;

alter table media_items add column visibility text not null default 'public';
alter table media_items add column metadata jsonb not null default '{}';

create or replace function list_media(
  item text, project text, file text, item_kind text, seconds double precision, made timestamptz)
returns void language sql as $$
  with f as (select id, name, description, status, size, visibility, metadata from files where id = file for share)
  insert into media_items (id, project_id, file_id, kind, status, size, duration, sort_name, search, created_at, is_made,
    visibility, metadata)
  select item, project, f.id, item_kind, f.status, f.size, seconds, sorted_name(f.name),
    searched_text(item, f.name, f.description), made, item_kind = 'image' or film_is_made(f.id),
    coalesce(f.visibility, 'public'), f.metadata from f
  on conflict (id) do update set duration = excluded.duration
$$;

create or replace function file_is_listed() returns trigger language plpgsql as $$
begin
  update media_items set status = new.status, size = new.size, sort_name = sorted_name(new.name),
    search = searched_text(id, new.name, new.description), visibility = coalesce(new.visibility, 'public'),
    metadata = new.metadata
  where file_id = new.id;
  return null;
end $$;
drop trigger files_are_listed on files;
create trigger files_are_listed after update of name, description, status, size, visibility, metadata on files
  for each row when (
    (old.name, old.description, old.status, old.size, old.visibility, old.metadata)
    is distinct from (new.name, new.description, new.status, new.size, new.visibility, new.metadata))
  execute function file_is_listed();

create index media_items_by_visibility on media_items (project_id, visibility, created_at, id);
create index media_items_by_metadata on media_items using gin (metadata jsonb_path_ops);
create index media_items_by_text on media_items using gin (trigrams(search));

-- Apps sign tokens of viewers with the private half, which is kept nowhere here.
create table signing_keys (
  id text primary key,
  project_id text not null references projects on delete cascade,
  name text not null,
  -- SPKI, as PEM.
  public_key text not null,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index signing_keys_of_project on signing_keys (project_id, id);
