-- Who may call: organizations own projects; users belong to organizations; keys belong to projects.

create table organizations (
  id text primary key,
  name text not null,
  plan text not null default 'free' check (plan in ('free', 'pro', 'custom', 'pay_as_you_go')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table projects (
  id text primary key,
  org_id text not null references organizations on delete cascade,
  name text not null,
  custom_domain text unique,
  regions text[] not null default '{}',
  video_quality text not null default 'basic' check (video_quality in ('basic', 'shorts', 'pro')),
  -- Bytes kept for the project; moved in the transaction that adds or removes a file.
  storage_used bigint not null default 0 check (storage_used >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index projects_of_organization on projects (org_id, id);

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  -- Null for those who sign in through an OpenID issuer only.
  password_hash text,
  -- Whether the address is known to be theirs. An invitation alone does not show it: whoever invites has its token.
  email_verified boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A user as an OpenID issuer knows them.
create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  primary key (issuer, subject)
);
create index identities_of_user on identities (user_id);

create table memberships (
  org_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index memberships_of_user on memberships (user_id);

create table invitations (
  id text primary key,
  org_id text not null references organizations on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'member')),
  policy_ids text[] not null,
  token_hash bytea not null,
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (org_id, email)
);

create table policies (
  id text primary key,
  org_id text not null references organizations on delete cascade,
  name text not null,
  description text not null,
  permissions text[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, name)
);

create table api_keys (
  id text primary key,
  project_id text not null references projects on delete cascade,
  kind text not null check (kind in ('sk', 'pk')),
  name text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expiring_at timestamptz,
  last_used timestamptz
);
create index api_keys_of_project on api_keys (project_id, id);

-- More than one while a rotation overlaps.
create table api_key_secrets (
  key_id text not null references api_keys on delete cascade,
  hash bytea not null,
  expires_at timestamptz,
  primary key (key_id, hash)
);

create table policy_attachments (
  id text primary key,
  policy_id text not null references policies on delete cascade,
  user_id text,
  key_id text references api_keys on delete cascade,
  org_id text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_id, key_id) = 1),
  unique (policy_id, user_id),
  unique (policy_id, key_id),
  -- Leaving the organization takes the member's policies along.
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create index policy_attachments_of_member on policy_attachments (org_id, user_id) where user_id is not null;
create index policy_attachments_of_key on policy_attachments (key_id) where key_id is not null;

-- A sign-in: access tokens name it, so ending it ends them; its refresh token changes with each use.
create table sessions (
  id text primary key,
  user_id text references users on delete cascade,
  key_id text references api_keys on delete cascade,
  -- For a key's: the secret that was shown; the sign-in ends with it.
  secret_hash bytea,
  -- How often the refresh token was replaced; a token of an earlier count is one used twice.
  generation integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (num_nonnulls(user_id, key_id) = 1),
  check ((key_id is null) = (secret_hash is null)),
  foreign key (key_id, secret_hash) references api_key_secrets (key_id, hash) on delete cascade
);
create index sessions_of_user on sessions (user_id) where user_id is not null;
create index sessions_of_key on sessions (key_id) where key_id is not null;
create index sessions_by_expiry on sessions (expires_at);

-- Secrets the installation made for itself and all its processes share.
create table installation_secrets (
  name text primary key,
  value text not null
);
