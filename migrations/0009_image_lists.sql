-- Lists of images leave posters out unless they are asked for, and begin with the newest.

drop index images_of_project;
create index images_of_project on images (project_id, created_at, id)
  where deleted_at is null and width is not null and poster_of is null;
create index images_attached on images (project_id, created_at, id)
  where deleted_at is null and width is not null and attached_to_video;
