/** Where the database is and how to open it. `url` wins over `data_dir`. */
export type OpenOptions = {
  /** PostgreSQL, app role. */
  url?: string
  /** PostgreSQL, owner role; only migrations, partitions and backups need it. */
  owner_url?: string
  /** Embedded engine: a directory of its own, or `memory://`. */
  data_dir?: string
  /** Sessions of the app role on PostgreSQL; default 10. */
  pool_size?: number
  /** Embedded engine: wait for the disk at every commit. Default true on disk; always false in memory. */
  durable?: boolean
  /** PostgreSQL: milliseconds after which the server cancels a statement of the app role; default 60000, 0 = never. */
  statement_timeout_ms?: number
  /** Embedded engine: start as a copy of this snapshot instead of empty (`Database.snapshot`). */
  snapshot?: Uint8Array
  /** Told about sessions that died while nobody was using them. */
  on_error?: (error: Error) => void
}
