-- Of posts that readers see no more though they are there still, and of places that are never given twice.

-- A post that is taken back is as gone for its readers as one that is deleted.
create or replace function post_happens() returns trigger language plpgsql as $$
declare
  post posts%rowtype;
  happened text;
begin
  if tg_op = 'DELETE' then
    post := old;
    happened := 'post.deleted';
  else
    post := new;
    happened := case when new.published then 'post.published' else 'post.deleted' end;
  end if;
  perform record_message(feeds.project_id, happened, post.id, jsonb_strip_nulls(jsonb_build_object('post_id', post.id,
    'feed_id', post.feed_id, 'creator_id', post.creator_id, 'video_id', post.video_id, 'image_id', post.image_id)))
  from feeds where feeds.id = post.feed_id and feeds.deleted_at is null;
  return null;
end $$;
drop trigger posts_happen on posts;
create trigger posts_happen after update of published on posts
  for each row when (new.published <> old.published) execute function post_happens();

-- The last place that a message was given. Messages go, with their project or when they are old; whoever follows the list by a
-- place must not find it shorter afterwards, and miss what comes until it is as long again.
create table webhook_places (
  is_only boolean primary key default true check (is_only),
  last bigint not null
);
insert into webhook_places (last) select coalesce(max(told), 0) from webhook_messages;

-- Tries from before a replay, or before the endpoint's address was another: pauses grow by those that came after.
alter table webhook_deliveries add column earlier_attempts integer not null default 0;
