-- Posts are found by what they say. Without statistics, as the index of the library's texts has none (0032).
set local maintenance_work_mem = '256MB';
create index posts_by_text on posts using gin (trigrams(lower(description)));
alter index posts_by_text alter column 1 set statistics 0;
