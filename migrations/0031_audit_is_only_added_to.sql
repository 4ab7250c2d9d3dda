-- An entry of the audit log goes when it has been kept long enough, which is a day at least, or with its organization,
-- which is gone by then. Nothing else takes one, whoever asks the database to.
create or replace function audit_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from organizations where id = old.org_id) then return old; end if;
  raise exception 'the audit log is only added to';
end $$;
create trigger audit_is_not_shortened before delete on audit_entries
  for each row when (old.at > now() - interval '1 day') execute function audit_is_kept();
create trigger audit_is_not_emptied before truncate on audit_entries for each statement execute function audit_is_kept();
