-- Accounts of addresses that nobody has proved.
--
-- Where no mail is set up, whoever invites an address has the invitation's token, and may accept it themselves. So an account
-- that was made by such an invitation belongs to the organization that invited, and to no other: `confined_to` names it. An
-- address has at most one account that is proved (by mail, by an OpenID issuer, by the operator), and at most one more in each
-- organization.
alter table users drop constraint users_email_key;
alter table users add column confined_to text references organizations on delete cascade;

-- Accounts from before. Those that the operator or an issuer vouched for stay as they are. The others came by invitation:
-- in one organization, the account is confined to it. In several, it becomes one account in each, with the same password: that
-- several organizations took it proves nothing, since all of them may have been told by the one who planted it. Whoever
-- proves the address later has them all in one again. In none, nothing rests on the account, and the next invitation makes a new one.
create temporary table account_splits on commit drop as
  select m.user_id as old_id, m.org_id, m.role, m.created_at,
    'user_' || substr(md5(random()::text || m.user_id) || md5(random()::text || m.org_id), 1, 26) as new_id,
    row_number() over (partition by m.user_id order by m.created_at, m.org_id) as place
  from memberships m join users u on u.id = m.user_id where not u.email_verified;

insert into users (id, email, password_hash, email_verified, created_at, confined_to)
  select s.new_id, u.email, u.password_hash, false, u.created_at, s.org_id
  from account_splits s join users u on u.id = s.old_id where s.place > 1;
insert into memberships (org_id, user_id, role, created_at)
  select org_id, new_id, role, created_at from account_splits where place > 1;
update policy_attachments a set user_id = s.new_id
  from account_splits s where s.place > 1 and a.user_id = s.old_id and a.org_id = s.org_id;
delete from memberships m using account_splits s
  where s.place > 1 and m.user_id = s.old_id and m.org_id = s.org_id;
update users u set confined_to = s.org_id from account_splits s where s.place = 1 and s.old_id = u.id;
delete from users where not email_verified and confined_to is null;

alter table users add check (email_verified = (confined_to is null));
create unique index users_proved on users (email) where confined_to is null;
create unique index users_confined on users (email, confined_to) where confined_to is not null;
create index users_of_organization on users (confined_to) where confined_to is not null;

-- Whether the token went to the address alone: then who has it has shown that the address is theirs.
alter table invitations add column mailed boolean not null default false;

-- A suspended member keeps role and policies, and may do nothing.
alter table memberships add column status text not null default 'active' check (status in ('active', 'suspended'));

-- Where an account signed in from before, as a hash. Guesses by strangers do not keep it from signing in there.
create table known_addresses (
  user_id text not null references users on delete cascade,
  hash bytea not null,
  last_seen timestamptz not null default now(),
  primary key (user_id, hash)
);
