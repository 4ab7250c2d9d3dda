-- Lists of videos and of images are filtered by indexes of their own.

-- However many images a project has, a page of its videos reads none of them, and the other way round.
create index media_items_of_kind on media_items (project_id, kind, created_at, id);
create index media_items_of_kind_by_visibility on media_items (project_id, kind, visibility, created_at, id);

-- Images that are attached to videos, posters above all, which the library does not show: what they are filtered and searched by,
-- in one row each, as media_items has it. Kept by triggers on the tables that own the facts.
create table attached_items (
  id text primary key,
  project_id text not null,
  file_id text not null unique references files on delete cascade,
  status text not null,
  -- Of an image nothing is left to be made.
  is_made boolean not null default true,
  visibility text not null,
  metadata jsonb not null,
  search text not null,
  created_at timestamptz not null
);

-- The file is held while it is read: whoever changes it in this moment comes before or after, and is not lost.
create function attach_image(item text, project text, file text, made timestamptz) returns void language sql as $$
  with f as (select id, name, description, status, visibility, metadata from files where id = file for share)
  insert into attached_items (id, project_id, file_id, status, visibility, metadata, search, created_at)
  select item, project, f.id, f.status, coalesce(f.visibility, 'public'), f.metadata,
    searched_text(item, f.name, f.description), made from f
  on conflict (id) do nothing
$$;

create function image_is_attached() returns trigger language plpgsql as $$
begin
  if new.attached_to_video and new.width is not null and new.deleted_at is null then
    perform attach_image(new.id, new.project_id, new.file_id, new.created_at);
  else
    delete from attached_items where id = new.id;
  end if;
  return null;
end $$;
create trigger new_images_are_attached after insert on images
  for each row when (new.attached_to_video and new.width is not null) execute function image_is_attached();
create trigger images_are_attached after update of width, deleted_at, attached_to_video on images
  for each row when (
    (old.width, old.deleted_at, old.attached_to_video) is distinct from (new.width, new.deleted_at, new.attached_to_video))
  execute function image_is_attached();

create function file_is_attached() returns trigger language plpgsql as $$
begin
  update attached_items set status = new.status, visibility = coalesce(new.visibility, 'public'), metadata = new.metadata,
    search = searched_text(id, new.name, new.description)
  where file_id = new.id;
  return null;
end $$;
create trigger files_are_attached after update of name, description, status, visibility, metadata on files
  for each row when (
    new.kind = 'image' and (old.name, old.description, old.status, old.visibility, old.metadata)
      is distinct from (new.name, new.description, new.status, new.visibility, new.metadata))
  execute function file_is_attached();

insert into attached_items (id, project_id, file_id, status, visibility, metadata, search, created_at)
select i.id, i.project_id, f.id, f.status, coalesce(f.visibility, 'public'), f.metadata,
  searched_text(i.id, f.name, f.description), i.created_at
from images i join files f on f.id = i.file_id
where i.attached_to_video and i.width is not null and i.deleted_at is null;

create index attached_items_by_time on attached_items (project_id, created_at, id);
create index attached_items_by_visibility on attached_items (project_id, visibility, created_at, id);
create index attached_items_failed on attached_items (project_id, created_at, id) where status = 'error';
create index attached_items_in_progress on attached_items (project_id, created_at, id) where not is_made;
create index attached_items_by_metadata on attached_items using gin (metadata jsonb_path_ops);
create index attached_items_by_text on attached_items using gin (trigrams(search));
