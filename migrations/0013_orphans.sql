-- Objects that nothing refers to are called what the field calls them.

alter table loose_objects rename to orphaned_objects;
alter table orphaned_objects rename constraint loose_objects_pkey to orphaned_objects_pkey;
alter index loose_objects_due rename to orphaned_objects_due;
