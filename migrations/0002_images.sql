-- Files as clients upload them, and the images made of them.

create table files (
  id text primary key,
  project_id text not null references projects on delete cascade,
  kind text not null check (kind in ('image', 'video')),
  -- UTF-8, but bytes: a name may hold anything, NUL included, which text cannot.
  name bytea not null,
  format text not null default '',
  status text not null default 'uploading'
    check (status in ('uploading', 'uploaded', 'processing', 'ready', 'error')),
  -- What delivery serves: the object, its bytes and its hash. Set when ready.
  object_key text,
  size bigint not null default 0,
  etag text,
  -- All that storage holds for the file; part of its project's storage_used.
  stored_bytes bigint not null default 0,
  upload_expires timestamptz not null,
  -- Somebody completes it and says so every few seconds.
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index files_of_project on files (project_id);
create index files_not_completed on files (upload_expires) where status in ('uploading', 'processing');

create table images (
  id text primary key,
  project_id text not null references projects on delete cascade,
  file_id text not null unique references files on delete cascade,
  width integer,
  height integer,
  thumbhash text,
  attached_to_video boolean not null default false,
  created_at timestamptz not null default now(),
  -- Marked, not removed: the interface's way of deleting an image.
  deleted_at timestamptz
);
create index images_of_project on images (project_id, id desc) where deleted_at is null and width is not null;

-- Objects that nothing refers to any more, until somebody has removed them.
create table garbage (
  file_id text primary key,
  project_id text not null,
  created_at timestamptz not null default now()
);

create function remember_garbage() returns trigger language plpgsql as $$
begin
  insert into garbage (file_id, project_id) values (old.id, old.project_id) on conflict do nothing;
  return null;
end $$;

-- However a row goes, its project's deletion included, its objects are not forgotten.
create trigger files_leave_garbage after delete on files for each row execute function remember_garbage();
create trigger deleted_files_are_garbage after update of deleted_at on files
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function remember_garbage();

-- Work to be done after the transaction that asked for it.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  key text not null,
  payload jsonb not null,
  -- A job under way is due again when its worker has not been heard of for a while.
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  unique (queue, key)
);
create index jobs_due on jobs (queue, due_at);
