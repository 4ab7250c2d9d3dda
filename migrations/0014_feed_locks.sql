-- Whoever inserts a post, or puts one into the trash, holds its feed's key for the foreign key before the counts are
-- kept. A lock that shuts out holders of the key made two of them wait for each other; the key never changes, so the
-- weaker one does.
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
