-- Searches for one or two letters go by an index as well. All letters of a text and all pairs of letters in a row; an index takes
-- each once.
create function letters_and_pairs(given text) returns text[] language sql immutable parallel safe as $$
  select letters || array(
    select first || second from unnest(letters, letters[2:]) as pairs (first, second) where second is not null)
  from (select string_to_array(given, null) as letters) given_letters
$$;

set local maintenance_work_mem = '256MB';
-- Without statistics, as that of longer parts: the planner would compute frequent ones anew for every row.
create index media_items_by_letters on media_items using gin (letters_and_pairs(search));
alter index media_items_by_letters alter column 1 set statistics 0;
create index attached_items_by_letters on attached_items using gin (letters_and_pairs(search));
alter index attached_items_by_letters alter column 1 set statistics 0;
