import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { storedColumns } from '../log-columns.ts'
import type { LogTable, StoredLine } from '../log-columns.ts'
import type { Seal } from './seal.ts'

type Db = QueryExecutorProvider
/** One journal of one school. */
export type JournalKey = { school_id: number; table: LogTable }
export type StoredSeal = Seal & { leaves: Buffer }

const instant = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${sql.ref(column)}`
const hex = (column: string) => sql`encode(${sql.ref(column)}, 'hex') as ${sql.ref(column)}`
const seal_columns = sql`school_id, table_name, seal_no, from_id::text as from_id, to_id::text as to_id, rows, late, altered, ${instant('upto')}, ${instant('sealed_at')},
  ${hex('leaves_hash')}, ${hex('prev_hash')}, ${hex('root_hash')}, ${hex('signature')}`

/** The newest seal of a journal. */
export async function lastSeal(db: Db, school_id: number, table: LogTable): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    select ${seal_columns} from audit_seal where school_id = ${school_id} and table_name = ${table} order by seal_no desc limit 1`.execute(db)
  return rows[0]
}

/** Seals after a number, in their order, with their leaves. */
export async function sealsAfter(db: Db, school_id: number, table: LogTable, seal_no: number, limit: number): Promise<StoredSeal[]> {
  const { rows } = await sql<StoredSeal>`
    select ${seal_columns}, leaves from audit_seal where school_id = ${school_id} and table_name = ${table} and seal_no > ${seal_no} order by seal_no limit ${limit}`.execute(db)
  return rows
}

/** Packed leaves of the seals that hold rows with ids of a span; `altered` says that some of them did not fit their own hash when sealed. */
export async function leavesBetween(db: Db, school_id: number, table: LogTable, from_id: string, before_id: string): Promise<{ leaves: Buffer; altered: number }[]> {
  const { rows } = await sql<{ leaves: Buffer; altered: number }>`
    select leaves, altered from audit_seal
    where school_id = ${school_id} and table_name = ${table} and to_id >= ${from_id}::uuid and from_id < ${before_id}::uuid order by seal_no`.execute(db)
  return rows
}

/** Keeps a seal. */
export async function insertSeal(db: Db, seal: Seal, leaves: Buffer): Promise<void> {
  const bytes = (text: string) => Buffer.from(text, 'hex')
  await sql`
    insert into audit_seal (school_id, table_name, seal_no, from_id, to_id, rows, late, altered, upto, sealed_at, leaves, leaves_hash, prev_hash, root_hash, signature)
    values (${seal.school_id}, ${seal.table_name}, ${seal.seal_no}, ${seal.from_id}, ${seal.to_id}, ${seal.rows}, ${seal.late}, ${seal.altered}, ${seal.upto}, ${seal.sealed_at},
      ${leaves}, ${bytes(seal.leaves_hash)}, ${bytes(seal.prev_hash)}, ${bytes(seal.root_hash)}, ${bytes(seal.signature)})`.execute(db)
}

/** Rows of a time that no given id names, oldest first. `after` null: from the beginning. */
export async function rowsBesides(db: Db, { school_id, table }: JournalKey, span: { after: string | null; upto: string }, known: readonly string[], limit: number): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    select ${storedColumns(table)} from ${sql.table(table)} l
    where school_id = ${school_id} and (${span.after}::timestamptz is null or l.happened_at > ${span.after}::timestamptz) and l.happened_at <= ${span.upto}::timestamptz
      and log_id <> all(${[...known]}::uuid[])
    order by l.happened_at, log_id limit ${limit}`.execute(db)
  return rows
}

/** Rows of a span of time, oldest first, after a position. */
export async function rowsBetween(db: Db, { school_id, table }: JournalKey, span: { from: string; before: string }, after: { happened_at: string; log_id: string } | null, limit: number): Promise<StoredLine[]> {
  const position = after ? sql`and (l.happened_at, log_id) > (${after.happened_at}::timestamptz, ${after.log_id}::uuid)` : sql``
  const { rows } = await sql<StoredLine>`
    select ${storedColumns(table)} from ${sql.table(table)} l
    where school_id = ${school_id} and l.happened_at >= ${span.from}::timestamptz and l.happened_at < ${span.before}::timestamptz ${position}
    order by l.happened_at, log_id limit ${limit}`.execute(db)
  return rows
}

/** The line of a journal on the installation's list. */
export type Watched = { table_name: LogTable; school_id: number; since: Date; checked_until: Date | null; next_month: string | null; rotated_at: Date | null }

/** Puts the journals of a new school on the list. */
export async function watchSchool(db: Db, school_id: number, since: Date): Promise<void> {
  await sql`
    insert into audit_watch (table_name, school_id, since) values ('operation_log', ${school_id}, ${since}), ('archive_log', ${school_id}, ${since})
    on conflict (table_name, school_id) do nothing`.execute(db)
}

/** Journals whose last round is older than a moment, or lies ahead of the clock, which was put back since. */
export async function dueJournals(db: Db, { before, now }: { before: Date; now: Date }, limit: number): Promise<{ table_name: LogTable; school_id: number }[]> {
  const { rows } = await sql<{ table_name: LogTable; school_id: number }>`
    select table_name, school_id from audit_watch where checked_until is null or checked_until < ${before} or checked_until > ${now} order by checked_until nulls first, school_id limit ${limit}`.execute(db)
  return rows
}

/** Takes the line of a journal for this transaction; undefined while another process has it, or when nobody watches the journal. */
export async function holdJournal(db: Db, school_id: number, table: LogTable): Promise<Watched | undefined> {
  const { rows } = await sql<Watched>`
    select table_name, school_id, since, checked_until, next_month, rotated_at from audit_watch where table_name = ${table} and school_id = ${school_id} for update skip locked`.execute(db)
  return rows[0]
}

const Broken = z.object({ found_at: z.string(), count: z.number(), findings: z.array(z.string()) })
/** What a check found wrong, as it is kept until a whole check finds nothing. */
export type Broken = z.output<typeof Broken>

/** How far the journals of a school were checked, and what was found. */
export async function readWatch(db: Db, school_id: number): Promise<{ table_name: LogTable; checked_until: Date | null; broken: Broken | null }[]> {
  const { rows } = await sql<{ table_name: LogTable; checked_until: Date | null; broken: unknown }>`
    select table_name, checked_until, broken from audit_watch where school_id = ${school_id}`.execute(db)
  return rows.map(row => ({ ...row, broken: Broken.nullable().parse(row.broken) }))
}

/** Says how far a journal was checked. */
export async function markChecked(db: Db, school_id: number, table: LogTable, until: Date): Promise<void> {
  await sql`update audit_watch set checked_until = ${until} where school_id = ${school_id} and table_name = ${table}`.execute(db)
}

/** Says which month is looked at next. */
export async function markRotated(db: Db, school_id: number, table: LogTable, next_month: string, at: Date): Promise<void> {
  await sql`update audit_watch set next_month = ${next_month}::date, rotated_at = ${at} where school_id = ${school_id} and table_name = ${table}`.execute(db)
}

/** Keeps what a check found; null takes it away. */
export async function markBroken(db: Db, school_id: number, table: LogTable, broken: Broken | null): Promise<void> {
  const value = broken === null ? null : JSON.stringify(broken)
  await sql`update audit_watch set broken = ${value}::jsonb where school_id = ${school_id} and table_name = ${table}`.execute(db)
}

/** Seals of both journals whose rows reach into some days. */
export async function sealsOfDays(db: Db, school_id: number, begin: Date, end: Date): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select ${seal_columns} from audit_seal s
    where school_id = ${school_id} and s.upto >= ${begin} and s.sealed_at < ${new Date(end.getTime() + 600_000)} order by table_name, seal_no`.execute(db)
  return rows
}

/** All seals of both journals, without their leaves. */
export async function allSeals(db: Db, school_id: number): Promise<Seal[]> {
  const { rows } = await sql<Seal>`select ${seal_columns} from audit_seal where school_id = ${school_id} order by table_name, seal_no`.execute(db)
  return rows
}
