-- The trash: what was deleted is marked and seen by nobody, can be brought back for a while, and then goes for good.

alter table projects add column deleted_at timestamptz;
create index projects_deleted on projects (deleted_at) where deleted_at is not null;
-- A deleted project leaves its domain to others: whoever proves it meanwhile has it.
drop index projects_by_proved_domain;
create unique index projects_by_proved_domain on projects (custom_domain)
  where custom_domain_verified_at is not null and deleted_at is null;

alter table videos add column deleted_at timestamptz;
drop index videos_of_project;
create index videos_of_project on videos (project_id, created_at, id)
  where duration is not null and deleted_at is null;

-- Objects are garbage once nothing can bring their file back: when its row goes.
drop trigger deleted_files_are_garbage on files;
-- Of what was deleted before there was a trash, the bytes are gone already.
delete from files where deleted_at is not null;
create index files_deleted on files (deleted_at) where deleted_at is not null;

-- Its posts are being removed: it cannot be brought back any more.
alter table feeds add column purged boolean not null default false;
update feeds set purged = true where deleted_at is not null;
create index feeds_deleted on feeds (deleted_at) where deleted_at is not null;

-- Posts whose image or video is in the trash. They come back with it, into the places that their ids tell.
create table trashed_posts (
  id text collate "C" primary key,
  feed_id text not null references feeds on delete cascade,
  creator_id text not null,
  description text not null,
  image_id text references images on delete cascade,
  video_id text references videos on delete cascade,
  plan_type text not null,
  published boolean not null,
  failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index trashed_posts_of_feed on trashed_posts (feed_id);
create index trashed_posts_of_image on trashed_posts (image_id) where image_id is not null;
create index trashed_posts_of_video on trashed_posts (video_id) where video_id is not null;

create function trash_posts(image text, video text) returns void language sql as $$
  with gone as (delete from posts where image_id = image or video_id = video returning *)
  insert into trashed_posts (id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure,
    created_at, updated_at)
  select id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure, created_at, updated_at
  from gone
$$;
create function restore_posts(image text, video text) returns void language sql as $$
  with back as (delete from trashed_posts where image_id = image or video_id = video returning *)
  insert into posts (id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure,
    created_at, updated_at)
  select id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure, created_at, updated_at
  from back on conflict do nothing
$$;

-- Still when the transaction commits: feeds are locked last.
create or replace function image_changes_posts() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null and new.deleted_at is not null then
    perform trash_posts(new.id, null);
  elsif old.deleted_at is not null and new.deleted_at is null then
    perform restore_posts(new.id, null);
  elsif new.deleted_at is null then
    update posts set version = version where image_id = new.id;
    update posts set version = version where video_id = new.poster_of;
  end if;
  return null;
end $$;
create or replace function video_changes_posts() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null and new.deleted_at is not null then
    perform trash_posts(null, new.id);
  elsif old.deleted_at is not null and new.deleted_at is null then
    perform restore_posts(null, new.id);
  else
    update posts set version = version where video_id = new.id;
  end if;
  return null;
end $$;

-- A project takes along what delivery and public reads look at: files and feeds, marked in the same moment, by which
-- those that were in the trash already are told from them. In the order in which everybody takes locks: files, then
-- their project, feeds last.
create function trash_project(project text) returns boolean language plpgsql as $$
begin
  perform from files where project_id = project order by id for update;
  update projects set deleted_at = now() where id = project and deleted_at is null;
  if not found then return false; end if;
  update files set deleted_at = now() where project_id = project and deleted_at is null;
  update feeds set deleted_at = now() where project_id = project and deleted_at is null;
  return true;
end $$;
create function restore_project(project text) returns boolean language plpgsql as $$
declare
  moment timestamptz;
begin
  perform from files where project_id = project order by id for update;
  select deleted_at into moment from projects where id = project and deleted_at is not null for update;
  if not found then return false; end if;
  update files set deleted_at = null where project_id = project and deleted_at = moment;
  update projects set deleted_at = null where id = project;
  update feeds set deleted_at = null where project_id = project and deleted_at = moment;
  return true;
end $$;
