-- Searches are always by their index. What the planner knew of how frequent parts of texts are made it compute them anew
-- for every row where a text is in most: two minutes among a million items, of which the index needs one second. Without
-- statistics, which an index keeps once it has them, it takes every search for a rare one.
drop index media_items_by_text;
create index media_items_by_text on media_items using gin (trigrams(search));
alter index media_items_by_text alter column 1 set statistics 0;
drop index attached_items_by_text;
create index attached_items_by_text on attached_items using gin (trigrams(search));
alter index attached_items_by_text alter column 1 set statistics 0;
