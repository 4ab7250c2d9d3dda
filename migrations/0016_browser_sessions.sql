-- People see where they are signed in.

alter table sessions
  add column last_used_at timestamptz not null default now(),
  add column user_agent text not null default '';
