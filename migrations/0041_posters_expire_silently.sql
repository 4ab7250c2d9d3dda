-- A poster was begun with its video, and is awaited for an hour longer: by then the video is gone, and what is left looked like an
-- image of its own whose upload has expired. It is attached from its first moment; what clients begin is so only once it is complete.
create or replace function upload_happens() returns trigger language plpgsql as $$
declare
  becomes text := coalesce(
    (select id from videos where file_id = old.id and clip_of is null),
    (select id from images where file_id = old.id and not attached_to_video));
begin
  if becomes is not null and old.upload_expires <= now() then
    perform record_message(old.project_id, 'upload.expired', becomes,
      jsonb_build_object(old.kind || '_id', becomes, 'kind', old.kind, 'name', name_as_text(old.name)));
  end if;
  return old;
end $$;
