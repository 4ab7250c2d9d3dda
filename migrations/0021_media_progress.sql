-- The library tells apart what is made in whole and what is still being made.

-- Whether all of a video is made; an image always is. It is served all the while.
alter table media_items add column is_made boolean not null default true;

-- All of a film is made when the playlists know the rates of each of its renditions, those of added sounds among them.
-- Whoever asks holds the plan: a rendition that is settled in this moment comes before or after, and is not lost.
create function film_is_made(file text) returns boolean language plpgsql as $$
declare
  is_settled boolean;
begin
  perform from playback_plans where file_id = file for no key update;
  select bool_and(p.rates ? renditions.name) into is_settled
  from playback_plans p cross join lateral (
    select one->>'name' as name from jsonb_array_elements((p.plan->'video') || (p.plan->'audio')) one
    union all
    select t.id from audio_tracks t join videos v on v.id = t.video_id where v.file_id = file
  ) renditions
  where p.file_id = file;
  return coalesce(is_settled, true);
end $$;

create or replace function list_media(
  item text, project text, file text, item_kind text, seconds double precision, made timestamptz)
returns void language sql as $$
  with f as (select id, name, description, status, size from files where id = file for share)
  insert into media_items (id, project_id, file_id, kind, status, size, duration, sort_name, search, created_at, is_made)
  select item, project, f.id, item_kind, f.status, f.size, seconds, sorted_name(f.name),
    searched_text(item, f.name, f.description), made, item_kind = 'image' or film_is_made(f.id) from f
  on conflict (id) do update set duration = excluded.duration
$$;

-- The plan is taken before the item, by everybody who takes both.
create or replace function video_is_listed() returns trigger language plpgsql as $$
begin
  if new.duration is not null and new.deleted_at is null then
    perform list_media(new.id, new.project_id, new.file_id, 'video', new.duration, new.created_at);
  else
    perform from playback_plans where file_id = new.file_id for no key update;
    delete from media_items where id = new.id;
  end if;
  return null;
end $$;

create function plan_is_listed() returns trigger language plpgsql as $$
declare
  is_whole constant boolean := film_is_made(new.file_id);
begin
  update media_items set is_made = is_whole where file_id = new.file_id and is_made <> is_whole;
  return null;
end $$;
create trigger plans_are_listed after insert or update of plan, rates on playback_plans
  for each row execute function plan_is_listed();

create function track_is_listed() returns trigger language plpgsql as $$
declare
  film text;
  is_whole boolean;
begin
  select file_id into film from videos where id = coalesce(new.video_id, old.video_id);
  -- A track that goes with its video.
  if film is null then return null; end if;
  is_whole := film_is_made(film);
  update media_items set is_made = is_whole where file_id = film and is_made <> is_whole;
  return null;
end $$;
create trigger tracks_are_listed after insert or delete on audio_tracks
  for each row execute function track_is_listed();

update media_items set is_made = false where kind = 'video' and not film_is_made(file_id);

-- Few of many are being made, or have failed, at any time.
create index media_items_in_progress on media_items (project_id, created_at, id) where not is_made;
create index media_items_failed on media_items (project_id, created_at, id) where status = 'error';
