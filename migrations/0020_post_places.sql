-- A post has a place in its feed: that of its id, which begins with its time, until it is moved.

alter table posts add column moved_to text collate "C";
alter table posts add column place text collate "C" not null generated always as (coalesce(moved_to, id)) stored;
alter table trashed_posts add column moved_to text collate "C";

drop index posts_published, posts_of_creator, posts_drafts;
create index posts_published on posts (feed_id, place desc) where published;
create index posts_of_creator on posts (feed_id, creator_id, place desc) where published;
create index posts_drafts on posts (feed_id, place desc) where not published;

-- A block holds the posts from its first place up to the next block's.
alter table feed_blocks rename column first_id to first_place;
alter type post_change rename attribute id to place;

create or replace function split_feed_blocks(feed text) returns void language plpgsql as $$
declare
  size constant integer := 1000;
  block record;
  middle text;
begin
  loop
    select * into block from feed_blocks where feed_id = feed and post_count >= 2 * size limit 1;
    exit when not found;
    select place into middle from posts
      where feed_id = feed and published and place >= block.first_place order by place offset size limit 1;
    update feed_blocks set post_count = size where feed_id = feed and first_place = block.first_place;
    insert into feed_blocks values (feed, middle, block.post_count - size);
  end loop;
end $$;

create or replace function count_posts(changes post_change[]) returns void language plpgsql as $$
declare
  feed text;
begin
  if cardinality(changes) = 0 then return; end if;
  -- In one order, so that two who change several feeds at once do not wait for each other.
  perform from feeds where id in (select feed_id from unnest(changes)) order by id for no key update;
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
      select c.feed_id, b.first_place, sum(c.change) as change
      from unnest(changes) c, lateral (
        select first_place from feed_blocks
        where feed_id = c.feed_id and first_place <= c.place order by first_place desc limit 1
      ) b
      group by c.feed_id, b.first_place having sum(c.change) <> 0
    ) placed
    where b.feed_id = placed.feed_id and b.first_place = placed.first_place;
  for feed in select distinct c.feed_id from unnest(changes) c join feeds f on f.id = c.feed_id where c.change > 0 loop
    perform split_feed_blocks(feed);
  end loop;
end $$;

create or replace function count_new_posts() returns trigger language plpgsql as $$
begin
  perform count_posts(array(
    select row(feed_id, place, creator_id, 1)::post_change from come where published));
  return null;
end $$;
create or replace function count_changed_posts() returns trigger language plpgsql as $$
begin
  perform count_posts(array(
    select row(feed_id, place, creator_id, -1)::post_change from gone where published
    union all
    select row(feed_id, place, creator_id, 1)::post_change from come where published));
  return null;
end $$;
create or replace function count_old_posts() returns trigger language plpgsql as $$
begin
  perform count_posts(array(
    select row(feed_id, place, creator_id, -1)::post_change from gone where published));
  return null;
end $$;

-- What comes back from the trash comes back to where it was.
create or replace function trash_posts(image text, video text) returns void language sql as $$
  with gone as (delete from posts where image_id = image or video_id = video returning *)
  insert into trashed_posts (id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure,
    created_at, updated_at, moved_to)
  select id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure, created_at, updated_at,
    moved_to
  from gone
$$;
create or replace function restore_posts(image text, video text) returns void language sql as $$
  with back as (delete from trashed_posts where image_id = image or video_id = video returning *)
  insert into posts (id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure,
    created_at, updated_at, moved_to)
  select id, feed_id, creator_id, description, image_id, video_id, plan_type, published, failure, created_at, updated_at,
    moved_to
  from back on conflict do nothing
$$;
