-- Whether a delivery is the first in line was now and then looked for by the index of what is due, among all that are
-- pending: rows are mostly counted when none are, so that the planner holds one index of the pending ones for as good as
-- another. This one is used for no other state than its own, and for that no other is.
drop index webhook_deliveries_in_line;
create index webhook_deliveries_in_line on webhook_deliveries (endpoint_id, resource, seq)
  where state not in ('delivered', 'failed');
