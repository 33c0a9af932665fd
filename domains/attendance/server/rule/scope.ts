import { ruleErrors, scope_kinds } from '@campus/attendance/contract'
import { stage_codes } from '@campus/calendar/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

type Scope = { scope_kind: number; scope_id: string }
const [school, stage, grade, of_class, course, teaching_class, place, person] = [1, 2, 3, 4, 5, 6, 7, 8] as const
const stage_names: Readonly<Record<string, string>> = { 0: '学前', 1: '小学', 2: '初中', 3: '高中', 4: '中职' }

/** Refuses a scope that names nothing of this school. @throws Refusal 422 arrangeScope */
export async function requireScope(db: Db, school_id: number, { scope_kind, scope_id }: Scope): Promise<void> {
  if (scope_kind === school) {
    if (scope_id !== '0') throw unknown()
    return
  }
  if (scope_kind === stage) {
    if (!stage_codes.some(code => code === scope_id)) throw unknown()
    return
  }
  const names = await namesOf(db, school_id, scope_kind, [scope_id])
  if (!names.has(scope_id)) throw unknown()
}

function unknown() {
  return fail(ruleErrors.arrangeScope, { errors: [{ field: 'scope_id', msg: ruleErrors.arrangeScope.msg }] })
}

/** How scopes are called: `年级 高二`; what is gone says so. */
export async function scopeNames(db: Db, school_id: number, scopes: readonly Scope[]): Promise<(of: Scope) => string> {
  const kinds: Readonly<Record<string, string>> = scope_kinds
  const found = new Map<number, ReadonlyMap<string, string>>()
  for (const [kind, own] of Map.groupBy(scopes.filter(one => one.scope_kind > stage), one => one.scope_kind)) found.set(
    kind, await namesOf(db, school_id, kind, own.map(one => one.scope_id))
  )
  return ({ scope_kind, scope_id }) => {
    if (scope_kind === school) return '全校'
    if (scope_kind === stage) return stage_names[scope_id] ?? '学段'
    return found.get(scope_kind)?.get(scope_id) ?? `已不存在的${kinds[String(scope_kind)] ?? '范围'}`
  }
}

async function namesOf(db: Db, school_id: number, kind: number, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = ['0', ...ids]
  const pairs = async (): Promise<{ id: string; name: string }[]> => {
    if (kind === grade || kind === of_class) return db.selectFrom('dept_now').select(['id', 'dept_name as name'])
      .where('school_id', '=', school_id).where('id', 'in', wanted).execute()
    if (kind === place) return db.selectFrom('place_live_v').select(['place_id as id', 'place_name as name'])
      .where('school_id', '=', school_id).where('place_id', 'in', wanted).execute()
    if (kind === person) return db.selectFrom('person_label').select(['user_id as id', 'display_name as name'])
      .where('school_id', '=', school_id).where('user_id', 'in', wanted).execute()
    if (kind === course || kind === teaching_class) return lessonNames(db, school_id, kind, wanted)
    return []
  }
  return new Map((await pairs()).map(row => [row.id, row.name]))
}

/** Courses and teaching classes are known by the lessons they have. */
async function lessonNames(db: Db, school_id: number, kind: number, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  const column = kind === course ? sql`d.course_id` : sql`d.class_id`
  const { rows } = await sql<{ id: string; name: string }>`
    select x.id::text as id, coalesce(max(i.name), '课程') || case when ${kind}::int = ${teaching_class} then '（教学班）' else '' end as name
    from (select distinct ${column} as id, d.subject from lesson_day_v d where d.school_id = ${school_id}
      and ${column} = any(${[...ids]}::bigint[])) x
    left join dictionary_v i on i.school_id = ${school_id} and i.sc_code_type = 'SUBJECT' and i.sc_code_item = x.subject
    group by x.id`.execute(db)
  return rows
}
