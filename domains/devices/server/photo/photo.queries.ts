import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, DevicesDb } from '../db.ts'
import { row_columns } from '../sync/rows.queries.ts'

/** A face file that waits for being made fit. */
export type WaitingPhoto = { sha256: string; file_key: string }
/** What it came to: a picture that terminals take, or why there is none. */
export type PhotoResult = { sha256: string } & ({ made_key: string; made_sha256: string; bytes: number } | { reason: string })

/** So many are made fit at once; whoever took them and died leaves them to others after so long. */
const [at_once, lease_s] = [200, 120]

/** These files are to be made fit for terminals, unless they were asked for before. */
export async function askPhotos(db: QueryExecutorProvider, school_id: number, files: readonly WaitingPhoto[]): Promise<void> {
  if (files.length === 0) return
  await sql`
    insert into device_photo (school_id, sha256, file_key, state) select distinct on (f.sha256) ${school_id}::int, f.sha256, f.file_key, 'waiting' from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) f(sha256 text, file_key text)
    on conflict (school_id, sha256) do update set file_key = excluded.file_key, state = 'waiting', reason = null, lease_until = null where device_photo.state = 'refused'`.execute(db)
}

/** Takes some that wait. */
export async function takePhotos(db: Db, school_id: number, now: Date): Promise<WaitingPhoto[]> {
  const { rows } = await sql<WaitingPhoto>`
    update device_photo p set lease_until = ${now}::timestamptz + ${lease_s} * interval '1 second'
    where p.school_id = ${school_id} and p.sha256 in (
      select sha256 from device_photo where school_id = ${school_id} and state = 'waiting' and (lease_until is null or lease_until < ${now}) order by sha256 limit ${at_once} for update skip locked)
    returning p.sha256, p.file_key`.execute(db)
  return rows
}

/** Notes what became of them. @returns whose faces they are */
export async function settlePhotos(db: Db, school_id: number, results: readonly PhotoResult[]): Promise<string[]> {
  await sql`
    update device_photo p set state = case when r.reason is null then 'ready' else 'refused' end, reason = r.reason, made_key = r.made_key, made_sha256 = r.made_sha256, bytes = r.bytes, lease_until = null
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) r(sha256 text, reason text, made_key text, made_sha256 text, bytes int) where p.school_id = ${school_id} and p.sha256 = r.sha256 and p.state = 'waiting'`.execute(db)
  const rows = await asTables<DevicesDb>(db).selectFrom('subject_credential').select('user_id').distinct().where('school_id', '=', school_id).where(sql<boolean>`sha256 = any(${results.map(one => one.sha256)}::text[])`).execute()
  return rows.map(row => row.user_id)
}

/** Forgets photographs of faces that nobody has any more. @returns the files that were made of them */
export async function dropPhotos(db: Db, school_id: number): Promise<string[]> {
  const { rows } = await sql<{ made_key: string | null; file_key: string }>`
    delete from device_photo p where p.school_id = ${school_id} and not exists (select from subject_credential c where c.school_id = ${school_id} and c.sha256 = p.sha256) returning p.made_key, p.file_key`.execute(db)
  return rows.flatMap(row => (row.made_key === null || row.made_key === row.file_key ? [] : [row.made_key]))
}

/** A photograph on its way: of which device, under which key and in which version. */
export type Fetched = { device_id: string; row_key: string; ver: string }

/**
 * Marks photographs as fetched that are on their way and were not fetched yet. Faces and files are found by their keys afterwards: joined at once they were walked through whole, again and again, where
 * the statistics are of yesterday, as when a new school is filled. For the same reason the state is compared as no index has it: by theirs nothing was due, so that all that was due was read for each. @returns the file of each of
 * those
 */
export async function markFetched(db: Db, school_id: number, asked: readonly Fetched[], now: Date): Promise<(Fetched & { made_key: string; made_sha256: string })[]> {
  const { rows } = await sql<Fetched & { made_key: string; made_sha256: string }>`
    with marked as (
      insert into sync_row as r (${row_columns}) select ${row_columns} from jsonb_to_recordset(${JSON.stringify(asked.map(({ device_id, row_key, ver }) => ({ of_device: device_id, of_key: row_key, ver })))}::jsonb) k(of_device bigint, of_key text, ver bigint)
      cross join lateral (select * from sync_row s where s.school_id = ${school_id} and s.device_id = k.of_device and s.kind = 'credential' and s.row_key = k.of_key and s.want_version = k.ver and s.want_op = 'put' and s.state || '' = 'sent' and s.fetched_at is null limit 1 for update) found
      on conflict (school_id, device_id, kind, row_key) do update set fetched_at = ${now}
      returning r.device_id, r.row_key, r.want_version, r.user_id)
    select m.device_id::text, m.row_key, m.want_version::text as ver, p.made_key, p.made_sha256 from marked m
    cross join lateral (select sha256 from subject_credential where school_id = ${school_id} and user_id = m.user_id and cred_kind = 'face' and usable order by credential_id desc limit 1) c
    cross join lateral (select made_key, made_sha256 from device_photo where school_id = ${school_id} and sha256 = c.sha256 and state = 'ready' limit 1) p`.execute(db)
  return rows
}
