import type { Family } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { schoolDay } from './day.ts'
import type { PeopleDb } from './db.ts'

/** What identity asks about families, as the archive knows them today. */
export function openFamily(app: App): Family {
  const today = () => schoolDay(app.clock.now())
  return {
    childrenOf: (db, school_id, user_id) =>
      pupils(db, school_id, today())
        .innerJoin('guardian_span as g', join => join.onRef('g.school_id', '=', 's.school_id').onRef('g.student_user_id', '=', 's.user_id'))
        .where('g.school_id', '=', school_id)
        .where('g.parent_user_id', '=', user_id)
        .where('g.valid_from', '<=', today())
        .where(eb => eb.or([eb('g.valid_to', 'is', null), eb('g.valid_to', '>', today())]))
        .select(['s.user_id', 's.user_name as name', 's.dept_id', 'g.is_guardian', 't.user_name as head_teacher'])
        .orderBy('s.birthday')
        .orderBy('s.user_id')
        .execute(),
    headTeacherOf: async (db, school_id, user_id) => {
      const found = await pupils(db, school_id, today()).where('s.user_id', '=', user_id).select('t.user_name').executeTakeFirst()
      return found?.user_name ?? null
    },
  }
}

/** Living pupils with the head of their class on a day. */
function pupils(db: QueryExecutorProvider, school_id: number, day: string) {
  return asTables<PeopleDb>(db)
    .selectFrom('live_student as s')
    .leftJoin('duty_span as d', join =>
      join
        .onRef('d.school_id', '=', 's.school_id')
        .onRef('d.dept_id', '=', 's.dept_id')
        .on('d.duty', '=', 'head')
        .on('d.valid_from', '<=', day)
        .on(eb => eb.or([eb('d.valid_to', 'is', null), eb('d.valid_to', '>', day)])),
    )
    .leftJoin('live_staff as t', join => join.onRef('t.school_id', '=', 'd.school_id').onRef('t.user_id', '=', 'd.user_id'))
    .where('s.school_id', '=', school_id)
}
