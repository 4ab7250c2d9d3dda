-- Feeds and their posts. A post shows an image or a video; as a draft it waits for its upload.

-- Whatever a reader may keep a copy of has a version, another one after every change.
create sequence versions;

create table feeds (
  id text primary key,
  project_id text not null references projects on delete cascade,
  name text not null,
  description text not null,
  allow_images boolean not null,
  allow_videos boolean not null,
  has_likes boolean not null,
  has_shares boolean not null,
  has_comments boolean not null,
  -- Published posts; kept by triggers, so that no reader ever counts.
  post_count bigint not null default 0,
  -- Of all that its pages show.
  version bigint not null default nextval('versions'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Nobody sees it any more; its posts are removed bit by bit, and then it.
  deleted_at timestamptz
);
create index feeds_of_project on feeds (project_id, id desc) where deleted_at is null;

create table posts (
  -- Begins with the millisecond in created_at: the order of ids is the order of the feed.
  id text collate "C" primary key,
  feed_id text not null references feeds on delete cascade,
  creator_id text not null,
  description text not null,
  image_id text references images on delete cascade,
  video_id text references videos on delete cascade,
  -- The project's plan when the post was made.
  plan_type text not null,
  published boolean not null default false,
  -- Why a draft could not be published when that was last tried.
  failure text,
  version bigint not null default nextval('versions'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(image_id, video_id) = 1),
  unique (feed_id, image_id),
  unique (feed_id, video_id)
);
create index posts_published on posts (feed_id, id desc) where published;
create index posts_of_creator on posts (feed_id, creator_id, id desc) where published;
create index posts_drafts on posts (feed_id, id desc) where not published;
create index posts_of_image on posts (image_id) where image_id is not null;
create index posts_of_video on posts (video_id) where video_id is not null;

create table feed_creators (
  feed_id text not null references feeds on delete cascade,
  creator_id text not null,
  post_count bigint not null,
  primary key (feed_id, creator_id)
);

-- A feed's published posts in blocks of about a thousand, so that the place of the nth is found without
-- walking past all before it. A block holds the posts from its first id up to the next block's.
create table feed_blocks (
  feed_id text not null references feeds on delete cascade,
  first_id text collate "C" not null,
  post_count integer not null,
  primary key (feed_id, first_id)
);

create function split_feed_blocks(feed text) returns void language plpgsql as $$
declare
  size constant integer := 1000;
  block record;
  middle text;
begin
  loop
    select * into block from feed_blocks where feed_id = feed and post_count >= 2 * size limit 1;
    exit when not found;
    select id into middle from posts
      where feed_id = feed and published and id >= block.first_id order by id offset size limit 1;
    update feed_blocks set post_count = size where feed_id = feed and first_id = block.first_id;
    insert into feed_blocks values (feed, middle, block.post_count - size);
  end loop;
end $$;

create type post_change as (feed_id text, id text collate "C", creator_id text, change integer);

-- Adds up what a statement did to published posts where feeds keep their counts.
create function count_posts(changes post_change[]) returns void language plpgsql as $$
declare
  feed text;
begin
  if cardinality(changes) = 0 then return; end if;
  -- In one order, so that two who change several feeds at once do not wait for each other.
  perform from feeds where id in (select feed_id from unnest(changes)) order by id for update;
  update feeds f set version = nextval('versions'), post_count = f.post_count + c.change
    from (select feed_id, sum(change) as change from unnest(changes) group by feed_id) c where f.id = c.feed_id;

  insert into feed_creators as k (feed_id, creator_id, post_count)
    select c.feed_id, c.creator_id, sum(c.change) from unnest(changes) c join feeds f on f.id = c.feed_id
    group by c.feed_id, c.creator_id having sum(c.change) <> 0
    on conflict (feed_id, creator_id) do update set post_count = k.post_count + excluded.post_count;
  delete from feed_creators k using unnest(changes) c
    where k.post_count = 0 and k.feed_id = c.feed_id and k.creator_id = c.creator_id;

  insert into feed_blocks
    select distinct c.feed_id, '', 0 from unnest(changes) c join feeds f on f.id = c.feed_id where c.change > 0
    on conflict do nothing;
  update feed_blocks b set post_count = b.post_count + placed.change
    from (
      select c.feed_id, b.first_id, sum(c.change) as change
      from unnest(changes) c, lateral (
        select first_id from feed_blocks
        where feed_id = c.feed_id and first_id <= c.id order by first_id desc limit 1
      ) b
      group by c.feed_id, b.first_id having sum(c.change) <> 0
    ) placed
    where b.feed_id = placed.feed_id and b.first_id = placed.first_id;
  for feed in select distinct c.feed_id from unnest(changes) c join feeds f on f.id = c.feed_id where c.change > 0 loop
    perform split_feed_blocks(feed);
  end loop;
end $$;

create function count_new_posts() returns trigger language plpgsql as $$
begin
  perform count_posts(array(
    select row(feed_id, id, creator_id, 1)::post_change from come where published));
  return null;
end $$;
create function count_changed_posts() returns trigger language plpgsql as $$
begin
  perform count_posts(array(
    select row(feed_id, id, creator_id, -1)::post_change from gone where published
    union all
    select row(feed_id, id, creator_id, 1)::post_change from come where published));
  return null;
end $$;
create function count_old_posts() returns trigger language plpgsql as $$
begin
  perform count_posts(array(
    select row(feed_id, id, creator_id, -1)::post_change from gone where published));
  return null;
end $$;
create trigger new_posts_count after insert on posts
  referencing new table as come for each statement execute function count_new_posts();
create trigger changed_posts_count after update on posts
  referencing old table as gone new table as come for each statement execute function count_changed_posts();
create trigger old_posts_count after delete on posts
  referencing old table as gone for each statement execute function count_old_posts();

create function renew_version() returns trigger language plpgsql as $$
begin
  new.version := nextval('versions');
  return new;
end $$;
create trigger posts_have_versions before update on posts for each row execute function renew_version();
create trigger feeds_have_versions before update on feeds for each row
  when (old.version = new.version) execute function renew_version();

-- A post shows its media; what changes there, whoever changes it, changes the post. That is done when the transaction
-- commits: whatever else it locks, it locks feeds last, so that two never wait for each other.
create function file_changes_posts() returns trigger language plpgsql as $$
begin
  update posts p set version = p.version from images i where i.file_id = new.id and p.image_id = i.id;
  update posts p set version = p.version from images i where i.file_id = new.id and p.video_id = i.poster_of;
  update posts p set version = p.version from videos v where v.file_id = new.id and p.video_id = v.id;
  return null;
end $$;
create constraint trigger files_change_posts after update on files
  deferrable initially deferred for each row
  when ((old.name, old.format, old.size, old.status) is distinct from (new.name, new.format, new.size, new.status))
  execute function file_changes_posts();

create function image_changes_posts() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from posts where image_id = new.id;
  else
    update posts set version = version where image_id = new.id;
    update posts set version = version where video_id = new.poster_of;
  end if;
  return null;
end $$;
create constraint trigger images_change_posts after update on images
  deferrable initially deferred for each row execute function image_changes_posts();

create function video_changes_posts() returns trigger language plpgsql as $$
begin
  update posts set version = version where video_id = new.id;
  return null;
end $$;
create constraint trigger videos_change_posts after update on videos
  deferrable initially deferred for each row execute function video_changes_posts();
