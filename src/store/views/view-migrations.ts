/** Format of the tables. The file is used only if it and the version of the projection match. */
export const viewMigrations: readonly string[] = [
  `CREATE TABLE session_views (id TEXT PRIMARY KEY, state TEXT NOT NULL, view TEXT NOT NULL) WITHOUT ROWID;
   CREATE INDEX session_views_by_state ON session_views (state, id);
   CREATE INDEX session_views_live ON session_views (id) WHERE state <> 'deleted';
   CREATE TABLE progress (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     fold_version INTEGER NOT NULL,
     position TEXT NOT NULL,
     stream TEXT NOT NULL,
     revision INTEGER NOT NULL,
     event_id TEXT NOT NULL
   )`,
  `DROP TABLE session_views;
   CREATE TABLE session_views (
     id TEXT PRIMARY KEY, state TEXT NOT NULL, ended INTEGER NOT NULL, view TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX session_views_by_state ON session_views (state, id);
   CREATE INDEX session_views_by_end ON session_views (ended, id);
   DELETE FROM progress`,
  'CREATE TABLE session_pictures (id TEXT PRIMARY KEY, picture TEXT NOT NULL)',
  'CREATE TABLE session_ends (id TEXT PRIMARY KEY, committed TEXT) WITHOUT ROWID',
  `ALTER TABLE session_views ADD COLUMN external_key TEXT;
   CREATE INDEX session_views_by_external_key ON session_views (external_key) WHERE external_key IS NOT NULL`,
  `ALTER TABLE session_views ADD COLUMN tenant TEXT;
   CREATE INDEX session_views_by_tenant ON session_views (tenant, id);
   DELETE FROM progress`,
  `ALTER TABLE session_views ADD COLUMN external_id TEXT;
   ALTER TABLE session_views ADD COLUMN label TEXT;
   ALTER TABLE session_views ADD COLUMN search TEXT;
   CREATE INDEX session_views_by_external_id ON session_views (external_id, id) WHERE external_id IS NOT NULL;
   CREATE INDEX session_views_by_label ON session_views (label, id) WHERE label IS NOT NULL;
   DELETE FROM progress`,
  // With what most lists are filtered by: rows that are passed over are not read.
  `ALTER TABLE session_views ADD COLUMN since INTEGER;
   CREATE INDEX session_views_by_since ON session_views (since, id, ended, state);
   DELETE FROM progress`,
  `CREATE TABLE side_rows (name TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, key)) WITHOUT ROWID;
   ALTER TABLE progress ADD COLUMN up_to TEXT NOT NULL DEFAULT '0';
   DELETE FROM progress`,
  `ALTER TABLE session_views ADD COLUMN key TEXT;
   CREATE INDEX session_views_by_key ON session_views (key, ended) WHERE key IS NOT NULL;
   DELETE FROM progress`,
];
