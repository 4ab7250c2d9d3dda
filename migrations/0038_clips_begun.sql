-- The video that one is a clip of. No client has begun its upload: until it is complete it is in no list of theirs, and nobody is
-- told when it goes because whoever made it was killed.
alter table videos add column clip_of text;

create or replace function upload_happens() returns trigger language plpgsql as $$
declare
  becomes text := coalesce(
    (select id from videos where file_id = old.id and clip_of is null),
    (select i.id from images i where i.file_id = old.id and not exists (select from videos v where v.poster_id = i.id)));
begin
  if becomes is not null and old.upload_expires <= now() then
    perform record_message(old.project_id, 'upload.expired', becomes,
      jsonb_build_object(old.kind || '_id', becomes, 'kind', old.kind, 'name', name_as_text(old.name)));
  end if;
  return old;
end $$;
