import { monthAfter, monthOf, startOfMonth } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { LogTable } from '../log-columns.ts'
import { firstMonthKept } from '../month.ts'
import { joinMoved, verifyChain, verifyRows } from './verify.ts'
import type { Checked, Finding, Sealed, Span } from './verify.ts'
import { lastSeal, markBroken, markChecked, markRotated, readWatch } from './seal.queries.ts'
import type { Watched } from './seal.queries.ts'

/** Told in the transaction that keeps what was found, when nothing had been known of it. */
export type Tell = (db: QueryExecutorProvider, school_id: number, table: LogTable, count: number) => Promise<void>
export type CheckDesk = { database: Database; now: Date; keep_days: number; public_key: string; tell?: Tell }

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const findings_kept = 5

/** Checks everything that is kept of a journal: its seals, and every row of every month against them (chapter 10 A2). */
export async function checkJournal({ database, now, keep_days, public_key }: CheckDesk, school_id: number, table: LogTable): Promise<Checked> {
  const journal = { database, school_id, table }
  const chain = await verifyChain(journal, public_key)
  const checked: Checked = { ...chain, rows: 0 }
  const last = monthAfter(monthOf(now))
  const sealed: Sealed = { upto: chain.upto, furthest: chain.jumps.map(jump => jump.from).toSorted().at(-1) ?? null }
  // Rows may have been pushed out of all months: the first span begins long ago, the last one ends in the far future.
  const first = firstMonthKept(now, keep_days)
  for (let month = first; month <= last; month = monthAfter(month)) {
    const found = await verifyRows(journal, { from: startOfMonth(month), before: month === last ? new Date('9999-01-01T00:00:00Z') : startOfMonth(monthAfter(month)) }, sealed, now)
    checked.rows += found.rows
    checked.findings.push(...found.findings)
  }
  return { ...checked, findings: joinMoved(checked.findings) }
}

/** What every round looks at again: the last hour, and once a day the last two days and one of the months before, in turn. @returns whether all was whole */
export async function checkRecent(desk: CheckDesk, { school_id, table_name: table, rotated_at, next_month }: Watched, upto: Date): Promise<boolean> {
  const { database, now } = desk
  const is_daily = rotated_at === null || Math.abs(now.getTime() - rotated_at.getTime()) >= day_ms
  const month = next_month === null ? firstMonthKept(now, desk.keep_days) : next_month.slice(0, 7)
  const recent = { from: new Date(upto.getTime() - (is_daily ? 2 * day_ms : hour_ms)), before: new Date(upto.getTime() + 1) }
  const spans: Span[] = is_daily && rotated_at !== null ? [recent, { from: startOfMonth(month), before: startOfMonth(monthAfter(month)) }] : [recent]
  const findings = await findIn(desk, { school_id, table }, spans)
  const next = month >= monthOf(now) ? firstMonthKept(now, desk.keep_days) : monthAfter(month)
  await database.tenant<unknown, void>(school_id, async db => {
    await markChecked(db, school_id, table, upto)
    if (is_daily) await markRotated(db, school_id, table, `${next}-01`, now)
  })
  if (findings.length > 0) await keepFindings(desk, school_id, table, findings)
  return findings.length === 0
}

async function findIn({ database, now }: CheckDesk, { school_id, table }: { school_id: number; table: LogTable }, spans: readonly Span[]): Promise<Finding[]> {
  const seal = await database.tenant<unknown, { upto: string } | undefined>(school_id, db => lastSeal(db, school_id, table), { read_only: true })
  const found: Finding[] = []
  for (const span of spans) found.push(...(await verifyRows({ database, school_id, table }, span, { upto: seal?.upto ?? null, furthest: null }, now)).findings)
  return joinMoved(found)
}

/** Keeps what was found beside the journal, until a whole check finds nothing. */
export async function keepFindings({ database, now, tell }: Pick<CheckDesk, 'database' | 'now' | 'tell'>, school_id: number, table: LogTable, findings: readonly Finding[]): Promise<void> {
  await database.tenant<unknown, void>(school_id, async db => {
    const before = (await readWatch(db, school_id)).find(line => line.table_name === table)?.broken ?? null
    const broken = { found_at: before?.found_at ?? now.toISOString(), count: findings.length, findings: findings.slice(0, findings_kept).map(sayFinding) }
    await markBroken(db, school_id, table, findings.length === 0 ? null : broken)
    if (before === null && findings.length > 0) await tell?.(db, school_id, table, findings.length)
  })
}

/** A finding in one line: what was done, to which row. */
export function sayFinding(finding: Finding): string {
  if (finding.kind === 'seal') return `seal ${finding.table} #${finding.seal_no}: ${finding.what}`
  const { kind, table, log_id, happened_at, what } = finding
  return `${kind} ${table} ${log_id}${happened_at === null ? '' : ` ${happened_at}`}${what === null ? '' : ` ${what}`}`
}
