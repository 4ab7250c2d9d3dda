-- What matters in an image, from its left and its top: it stays in view where a size of it is cut.
alter table images add column focal_x double precision check (focal_x between 0 and 1);
alter table images add column focal_y double precision check (focal_y between 0 and 1);
alter table images add check ((focal_x is null) = (focal_y is null));

-- Sizes of a project's images that have a name: what an address may ask for by it.
create table image_presets (
  project_id text not null references projects on delete cascade,
  name text collate "C" not null,
  options jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, name)
);

-- What a project signs sizes by that have no name. Made when it is first asked for.
create table image_signing_secrets (
  project_id text primary key references projects on delete cascade,
  secret text not null,
  created_at timestamptz not null default now()
);
