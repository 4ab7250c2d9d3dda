-- What has arrived of files whose upload goes on after an interruption (tus).
create table resumable_uploads (
  file_id text primary key references files on delete cascade,
  -- Of the whole file, once somebody has said it.
  length bigint,
  -- What an append that was announced would have led to: the file is not whole before.
  announced bigint not null default 0,
  -- Bytes that survive a crash, and the objects that hold them.
  received bigint not null default 0,
  pieces jsonb not null default '[]',
  -- Who appends at the moment, and when they were last heard of.
  writer text,
  heard_at timestamptz not null default now(),
  -- Terminated: nothing is taken before somebody begins anew.
  terminated boolean not null default false
);

-- What is under way in a project, newest first.
create index files_under_way on files (project_id, created_at, id)
  where status in ('uploading', 'processing') and deleted_at is null;
