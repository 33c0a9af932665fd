-- Whose face a file is: asked whenever a file was judged, and for every file when those that nobody has any more are dropped.
create index subject_credential_face on subject_credential (school_id, sha256) where sha256 is not null;
