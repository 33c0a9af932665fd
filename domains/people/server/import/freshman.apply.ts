import { randomUUID } from 'node:crypto'
import type { AppliedRow, ApplyRow, ApplyStep, ImportUndo } from '@campus/jobs/server'
import { sql } from 'kysely'
import { insertRows } from '../bulk.ts'
import type { PeopleDb } from '../db.ts'
import { drawNumbers } from '../freshmen/apply.queries.ts'
import type { Application } from '../freshmen/apply.queries.ts'
import { findSeason } from '../freshmen/season.queries.ts'
import type { Season } from '../freshmen/season.queries.ts'
import { takesSheets } from '../freshmen/season.service.ts'
import { sealIdNo } from '../id-number.ts'
import type { FreshmanSnapshot } from './freshman.judge.ts'
import type { ParsedFreshman } from './freshman.parsed.ts'

type Step = ApplyStep<PeopleDb>
type Made = { row_no: number; season: Season; row: Application & { id: string; state: string } }

const [waiting, passed] = ['1', '2'] as const
/** What the sheet does not say: 其他. */
const other_relation = '99'
const no_ids = '00000000-0000-0000-0000-000000000000'

/** Enters applications; a season that has been placed since the dry run takes none. */
export async function applyFreshmen(step: Step, rows: readonly ApplyRow<ParsedFreshman>[], snapshot: FreshmanSnapshot): Promise<AppliedRow[]> {
  const { db, school_id } = step
  const seasons = await takeSeasons(step, rows, snapshot)
  const wanted = rows.flatMap(row => {
    const season = seasons.get(row.parsed.stage)
    return season ? [{ ...row, season }] : []
  })
  const numbers = await drawNumbers(db, school_id, step.now, wanted.length)
  const made = wanted.map(({ row_no, parsed, season }, at) => ({ row_no, season, row: rowOf(step, parsed, season, numbers[at] ?? '') }))
  // Who has applied meanwhile stands already: that line is not answered, and is judged anew.
  const kept = made.length === 0 ? [] : await db.insertInto('freshmen_apply').values(made.map(({ row }) => row)).onConflict(on => on.doNothing()).returning('id').execute()
  const ids = new Set(kept.map(row => row.id))
  const entered = made.filter(({ row }) => ids.has(row.id))
  await notePassed(step, entered)
  return entered.map(({ row_no, row }) => ({ row_no, target_id: row.id, before: null, touched: [{ key: row.id, mark: markOf({ state: row.state, row_version: 1 }) }] }))
}

async function takeSeasons({ db, school_id }: Step, rows: readonly ApplyRow<ParsedFreshman>[], { seasons }: FreshmanSnapshot): Promise<Map<string, Season>> {
  const taken = new Map<string, Season>()
  for (const stage of [...new Set(rows.map(({ parsed }) => parsed.stage))].toSorted()) {
    const season = await findSeason(db, school_id, seasons.get(stage)?.id ?? '0', 'lock')
    if (season && takesSheets(season)) taken.set(stage, season)
  }
  return taken
}

function rowOf({ app, school_id, now }: Step, { stage: _stage, id_no, values, ...child }: ParsedFreshman, { id: season_id, import_passed, review_levels }: Season, apply_no: string): Made['row'] {
  const review = import_passed ? { state: passed, review_level: review_levels } : { state: waiting, review_level: 0 }
  return { id: randomUUID(), school_id, season_id, apply_no, ...child, ...sealIdNo(app.secrets, school_id, id_no), relation: other_relation, values: JSON.stringify(values), ...review, applied_at: now, updated_at: now }
}

/** Who has let them pass stands where every other review stands. */
async function notePassed({ db, school_id, me, now }: Step, made: readonly Made[]): Promise<void> {
  const rows = made.filter(({ row }) => row.state === passed).map(({ row }) => ({ school_id, apply_id: row.id, level: 1, verdict: 'pass', reason: null, reviewed_by: me.user_id, reviewed_at: now }))
  await insertRows(db, 'freshmen_review', rows)
}

function markOf({ state, row_version }: { state: string; row_version: number }): string {
  return `${state}.${row_version}`
}

/** Takes applications back that nobody has touched since; the others stay and are named. */
export const freshmanUndo: ImportUndo<PeopleDb> = {
  async marks({ db, school_id }, keys, lock) {
    const found = await db.selectFrom('freshmen_apply').select(['id', 'state', 'row_version']).where('school_id', '=', school_id).where(sql<boolean>`id = any(${[...keys]}::uuid[])`).orderBy('id').$if(lock, query => query.forUpdate()).execute()
    return new Map(found.map(row => [row.id, markOf(row)]))
  },
  reason: () => '该报名在导入后已审核或修改，请在新生名单中处理',
  async undo({ db, school_id }, rows, kept) {
    const ids = rows.map(row => row.target_id).filter(id => !kept.has(id))
    await db.deleteFrom('freshmen_apply').where('school_id', '=', school_id).where('id', 'in', [no_ids, ...ids]).execute()
  },
}
