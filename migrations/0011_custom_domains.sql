-- A custom domain is a claim until a DNS record proves it. Any number of projects may claim a domain, one has proved it.
-- Domains from before were never proved, so they are claims.
alter table projects drop constraint projects_custom_domain_key;
alter table projects add column custom_domain_verified_at timestamptz;
alter table projects add check (custom_domain is not null or custom_domain_verified_at is null);
create unique index projects_by_proved_domain on projects (custom_domain) where custom_domain_verified_at is not null;
create index projects_by_claimed_domain on projects (custom_domain) where custom_domain is not null;
