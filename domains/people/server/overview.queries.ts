import { sql } from 'kysely'
import type { Db } from './db.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

/** Pupils in school by stage, of them by sex and in a bed of the school. */
export function pupilsByStage(db: Db, school_id: number, scope: DeptScope): Promise<{ stage: string | null; total: number; boys: number; girls: number; boarders: number }[]> {
  const those = (column: 'sex' | 'study_method', code: string) => sql<number>`(count(*) filter (where ${sql.ref(column)} = ${code}))::int`
  return db
    .selectFrom('live_student')
    .select(['stage', sql<number>`count(*)::int`.as('total')])
    .select([those('sex', '1').as('boys'), those('sex', '2').as('girls'), those('study_method', '2').as('boarders')])
    .where('school_id', '=', school_id)
    .where(inScope('dept_id', scope))
    .groupBy('stage')
    .orderBy('stage')
    .execute()
}

/** Staff in office with a department inside the scope, or everybody, by kind. */
export function staffByKind(db: Db, school_id: number, scope: DeptScope): Promise<{ kind: string; total: number }[]> {
  const member = sql<boolean>`coalesce(l.user_id in (select m.user_id from staff_membership m where m.school_id = ${school_id}
    and m.valid_from <= (now() at time zone 'Asia/Shanghai')::date and (m.valid_to is null or m.valid_to > (now() at time zone 'Asia/Shanghai')::date)
    and ${inScope('m.dept_id', scope)}), false)`
  return db
    .selectFrom('live_staff as l')
    .innerJoin('staff as s', join => join.onRef('s.school_id', '=', 'l.school_id').onRef('s.user_id', '=', 'l.user_id'))
    .select(['s.kind', sql<number>`count(*)::int`.as('total')])
    .where('l.school_id', '=', school_id)
    .where('s.school_id', '=', school_id)
    .$if(scope !== 'all', query => query.where(member))
    .groupBy('s.kind')
    .orderBy('s.kind')
    .execute()
}
