-- Whether everybody may list the posts of a feed, or only who has a key of its project.

alter table feeds add column visibility text not null default 'private' check (visibility in ('public', 'private'));
