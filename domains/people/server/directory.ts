import type { Directory } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, oneOf, validOn } from './dated.ts'
import { schoolDay } from './day.ts'
import type { Db, PeopleDb } from './db.ts'
import { deptsOn, pathOn } from './dept.queries.ts'
import { labelsOn } from './dept.service.ts'
import { openIdNo } from './id-number.ts'
import { parseKeyword, personFits } from './keyword.ts'
import { nameIndex } from './name-index.ts'
import { inScope, visibleDepts } from './scope.ts'
import type { Asker, DeptScope } from './scope.ts'

/** What identity asks about people and departments, as they are today. */
export function openDirectory(app: App): Directory {
  const today = () => schoolDay(app.clock.now())
  const labels: Directory['labels'] = (db, school_id, ids) => labelsOn({ db: asTables<PeopleDb>(db), school_id, me: { dept_is_exact: false } }, ids, today())
  return {
    labels,
    paths: (db, school_id) => pathsOn(asTables<PeopleDb>(db), school_id, today()),
    covers: asker => covered(asker),
    search: (school_id, keyword) => found(school_id, keyword),
    members: async ({ db, school_id, now }, dept_id) => {
      const path = await pathOn(asTables<PeopleDb>(db), school_id, dept_id, schoolDay(now))
      return path === undefined ? null : below(school_id, path, schoolDay(now))
    },
    deptsOf: async (db, school_id, user_ids) => {
      const { rows } = await sql<{ user_id: string; dept_id: string }>`
        select distinct on (m.user_id) m.user_id, m.dept_id from dept_member m
        where m.school_id = ${school_id} and ${oneOf('m.user_id', user_ids)} and ${validOn('m', today())}
        order by m.user_id, m.is_primary desc, m.id`.execute(db)
      const names = await labels(db, school_id, rows.map(row => row.dept_id))
      return new Map(rows.flatMap(({ user_id, dept_id }): [string, string][] => {
        const name = names.get(dept_id)
        return name === undefined ? [] : [[user_id, name]]
      }))
    },
    children: async (db, school_id, dept_ids) => {
      const { rows } = await sql<{ dept_id: string }>`
        select distinct v.dept_id from dept_version v
        join dept_version r on r.school_id = v.school_id and v.node_path >= r.node_path and v.node_path < left(r.node_path, -1) || '0'
        where v.school_id = ${school_id} and r.school_id = ${school_id} and ${oneOf('r.dept_id', dept_ids)}
          and ${validOn('r', today())} and ${validOn('v', today())}`.execute(db)
      return rows.map(row => row.dept_id)
    },
    passwordFacts: (db, school_id, user_id) => passwordFacts(asTables<PeopleDb>(db), school_id, user_id),
    firstFacts: async (db, school_id, user_ids) => {
      const { rows } = await sql<{ user_id: string; mobile: string | null; id_no_enc: Buffer | null }>`
        select p.user_id, p.mobile, p.id_no_enc from person p
        where p.school_id = ${school_id} and p.status = 'live' and ${oneOf('p.user_id', user_ids)}`.execute(db)
      return new Map(rows.map(({ user_id, mobile, id_no_enc }) => [user_id, { mobile, id_no: id_no_enc === null ? null : openIdNo(app.secrets, school_id, id_no_enc) }]))
    },
    contacts: async (db, school_id, user_ids) => {
      const { rows } = await sql<{ user_id: string; mobile: string | null; email: string | null }>`
        select p.user_id, p.mobile, p.email from person p
        where p.school_id = ${school_id} and p.status = 'live' and ${oneOf('p.user_id', user_ids)}`.execute(db)
      return new Map(rows.map(({ user_id, ...contact }) => [user_id, contact]))
    },
  }
}

/** What anybody could guess of somebody in the archives; the school's name as it is typed without its signs. */
async function passwordFacts(db: Db, school_id: number, user_id: string): ReturnType<Directory['passwordFacts']> {
  const { rows: [person] } = await sql<{ phone: string | null; birthday: string | null; school_name: string }>`
    select p.mobile as phone, p.birthday::text as birthday, s.school_name from school_v s
    left join person p on p.school_id = s.school_id and p.user_id = ${user_id} and p.status = 'live' where s.school_id = ${school_id}`.execute(db)
  if (!person) return null
  const { name_py, name_initials } = nameIndex(person.school_name)
  return { phone: person.phone ?? undefined, birthday: person.birthday ?? undefined, school_pinyin: name_py, school_initials: name_initials }
}

async function pathsOn(db: Db, school_id: number, on: string): Promise<ReadonlyMap<string, string>> {
  const rows = [...(await deptsOn(db, school_id, 'student', on)), ...(await deptsOn(db, school_id, 'staff', on))]
  const labels = await labelsOn({ db, school_id, me: { dept_is_exact: true } }, rows.map(row => row.id), on)
  return new Map([...labels].map(([dept_id, path]) => [path, dept_id]))
}

/** Pupils by class, staff by department, parents by child (chapter 90 §2, `within: dept`), and oneself. */
async function covered(asker: Asker): ReturnType<Directory['covers']> {
  const { school_id, me, now } = asker
  const on = schoolDay(now)
  const [pupils, staff] = [await visibleDepts(asker, 'student', on), await visibleDepts(asker, 'staff', on)]
  if (pupils === 'all' || staff === 'all') return { users: 'all', depts: 'all' }
  const users = sql`
    ${membersIn(school_id, 'staff', staff, on)} union all ${membersIn(school_id, 'student', pupils, on)}
    union all select g.parent_user_id from guardian_link g
      where g.school_id = ${school_id} and ${validOn('g', on)} and g.student_user_id in (${membersIn(school_id, 'student', pupils, on)})
    union all select ${me.user_id}::bigint`
  return { users, depts: new Set([...pupils, ...staff]) }
}

function membersIn(school_id: number, member_kind: 'staff' | 'student', scope: DeptScope, on: string): RawBuilder<unknown> {
  return sql`select m.user_id from dept_member m where m.school_id = ${school_id} and m.member_kind = ${member_kind} and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}`
}

function below(school_id: number, path: string, on: string): RawBuilder<unknown> {
  return sql`
    select m.user_id from dept_member m join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id
    where m.school_id = ${school_id} and v.school_id = ${school_id} and ${validOn('m', on)} and ${validOn('v', on)} and ${beginsWith('v.node_path', path)}`
}

function found(school_id: number, text: string): RawBuilder<unknown> {
  const keyword = parseKeyword(text)
  const fits = keyword ? personFits(keyword) : sql<boolean>`false`
  return sql`select p.user_id from person p where p.school_id = ${school_id} and p.status = 'live' and ${fits}`
}
