-- Links for one use that stand in for a password: one signs somebody in, another lets them set a new password. Who has
-- read the table cannot use them: it has their hashes.
create table account_links (
  hash bytea primary key,
  kind text not null check (kind in ('sign_in', 'reset')),
  user_id text not null references users on delete cascade,
  -- Whether it went to the account's address alone: then who has it has shown that the address is theirs.
  mailed boolean not null default false,
  expires_at timestamptz not null
);
create index account_links_of_user on account_links (user_id);
create index account_links_by_end on account_links (expires_at);

-- Sign-ins that a browser has begun at an OpenID issuer and not come back from.
create table openid_flows (
  state_hash bytea primary key,
  -- Of what the cookie of that browser holds.
  browser_hash bytea not null,
  issuer text not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null
);
create index openid_flows_by_end on openid_flows (expires_at);
