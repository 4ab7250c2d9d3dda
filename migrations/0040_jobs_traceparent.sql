-- The span that asked for a job, as W3C Trace Context writes it: the trace of the job links to it.
alter table jobs add column traceparent text;
