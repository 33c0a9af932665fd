import type { Issue, Judgement, ParsedRow, ReadStep } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import { sql } from 'kysely'
import type { Db, PeopleDb } from '../db.ts'
import { birthdayErrors } from '../freshmen/apply.rules.ts'
import { readSeasons } from '../freshmen/season.queries.ts'
import type { Season } from '../freshmen/season.queries.ts'
import { seasonTitle, takesSheets } from '../freshmen/season.service.ts'
import { indexIdNo } from '../id-number.ts'
import type { ParsedFreshman } from './freshman.parsed.ts'

/** What the database holds about a piece of the sheet: the season of each stage, who has applied there, who has a file; numbers as they are indexed. */
export type FreshmanSnapshot = {
  seasons: ReadonlyMap<string, Season>
  applied: ReadonlySet<string>
  known: ReadonlyMap<string, string>
  indexOf: (id_no: string) => string
}

/** Reads it in three questions, however many lines there are. */
export async function loadFreshmen({ db, school_id, app }: ReadStep<PeopleDb>, rows: readonly ParsedRow<ParsedFreshman>[]): Promise<FreshmanSnapshot> {
  const indexes = new Map(rows.map(({ parsed }) => [parsed.id_no, indexIdNo(app.secrets, parsed.id_no)]))
  const seasons = new Map<string, Season>()
  // The latest comes first.
  for (const season of await readSeasons(db, school_id)) if (takesSheets(season) && !seasons.has(season.stage)) seasons.set(season.stage, season)
  const wanted = [...indexes.values()]
  return {
    seasons,
    applied: await appliedOf(db, school_id, [...seasons.values()].map(season => season.id), wanted),
    known: await knownOf(db, school_id, wanted),
    indexOf: id_no => (indexes.get(id_no) ?? indexIdNo(app.secrets, id_no)).toString('hex'),
  }
}

/** Who stands in these seasons already, whoever has given up apart. */
async function appliedOf(db: Db, school_id: number, season_ids: readonly string[], indexes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await sql<{ season_id: string; number: string }>`
    select season_id::text as season_id, encode(id_no_idx, 'hex') as number from freshmen_apply
    where school_id = ${school_id} and season_id = any(${[...season_ids]}::bigint[]) and state <> '7' and id_no_idx = any(${[...indexes]}::bytea[])`.execute(db)
  return new Set(rows.map(row => `${row.season_id} ${row.number}`))
}

async function knownOf(db: Db, school_id: number, indexes: readonly Buffer[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ user_name: string; number: string }>`
    select user_name, encode(id_no_idx, 'hex') as number from person where school_id = ${school_id} and status = 'live' and id_no_idx = any(${[...indexes]}::bytea[])`.execute(db)
  return new Map(rows.map(row => [row.number, row.user_name]))
}

/** What importing a line would do: an application of its season, or why there can be none. */
export function judgeFreshman({ parsed }: ParsedRow<ParsedFreshman>, { seasons, applied, known, indexOf }: FreshmanSnapshot): Judgement {
  const nothing = { verdict: 'new', target_id: null } as const
  const season = seasons.get(parsed.stage)
  if (!season) return { ...nothing, diff: [], errors: [{ prop: 'stage', msg: '该学段没有可以导入的新生报名，请先在新生报名设置中开放' }], warnings: [] }
  const number = indexOf(parsed.id_no)
  const [born, file] = [birthdayIssues(season, parsed), known.get(number)]
  const errors: Issue[] = applied.has(`${season.id} ${number}`) ? [{ prop: 'id_no', msg: peopleErrors.applyDup.msg }] : []
  const met = file === undefined ? [] : [{ prop: 'id_no', msg: `该证件号在本校已有档案：${file}` }]
  const is_refused = season.import_passed && season.dup_policy === 'block'
  return {
    ...nothing, basis: `${season.id} ${season.import_passed}`,
    diff: [{ prop: 'stage', before: '', after: `${seasonTitle(season)}，${season.import_passed ? '审核通过' : '待审核'}` }],
    errors: [...errors, ...born.errors, ...(is_refused ? met : [])],
    warnings: [...born.warnings, ...(is_refused ? [] : met)],
  }
}

/** The sheet has no column for the day of birth: without a resident number somebody has to look. */
function birthdayIssues(season: Season, { birthday }: ParsedFreshman): { errors: Issue[]; warnings: Issue[] } {
  const told = birthdayErrors(season, birthday, []).map(({ msg }) => ({ prop: 'id_no', msg }))
  if (birthday !== null) return { errors: told, warnings: [] }
  return { errors: [], warnings: told.map(({ prop }) => ({ prop, msg: '没有出生日期，请审核时核对年龄' })) }
}
