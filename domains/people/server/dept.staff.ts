import type { deptStaffApi, StaffDept } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { validOn } from './dated.ts'
import { schoolDay } from './day.ts'
import type { Db, PeopleCtx } from './db.ts'
import { leadersOn } from './dept.board.queries.ts'
import { deptsById } from './dept.edit.queries.ts'
import { deptsOn } from './dept.queries.ts'
import { visibleRows } from './dept.tree.ts'
import { deptScope, inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

type OwnCount = { dept_id: string; primary_count: number; part_count: number }
type Leader = Awaited<ReturnType<typeof leadersOn>>[number]

const deputy = 'vice_head'

/** Leaders and own people of the departments of the staff tree on a day; of those above the scope only who leads them. */
export async function readStaffBoard(ctx: PeopleCtx, query: Input<typeof deptStaffApi.staffBoard>): Promise<Reply<typeof deptStaffApi.staffBoard>> {
  const { db, school_id } = ctx
  const on = query.on ?? schoolDay(ctx.now)
  const scope = await deptScope(ctx, 'staff', on)
  const rows = visibleRows(await deptsOn(db, school_id, 'staff', on), scope)
  const ids = rows.map(row => row.id)
  const facts = await deptsById(db, school_id, ids)
  const counts = new Map((await ownCounts(db, school_id, on, scope)).map(count => [count.dept_id, count]))
  const leaders = Map.groupBy(await leadersOn(db, school_id, ids, on), leader => leader.dept_id)
  return { list: rows.map(({ id }) => ({ ...staffDept(id, leaders.get(id) ?? [], counts.get(id)), row_version: facts.get(id)?.row_version ?? 1 })) }
}

function staffDept(id: string, leaders: readonly Leader[], count: OwnCount | undefined): Omit<StaffDept, 'row_version'> {
  const person = ({ user_id, user_name }: Leader) => ({ user_id, user_name })
  const [head] = leaders.filter(leader => leader.duty !== deputy)
  const { primary_count = 0, part_count = 0 } = count ?? {}
  return {
    id,
    head: head ? person(head) : null,
    vices: leaders.filter(leader => leader.duty === deputy).map(person),
    primary_count,
    part_count,
    is_vacant: head === undefined && primary_count + part_count > 0,
  }
}

/** Staff at work who belong to each department of the scope itself on a day, in one aggregate. */
async function ownCounts(db: Db, school_id: number, on: string, scope: DeptScope): Promise<OwnCount[]> {
  const { rows } = await sql<OwnCount>`
    select m.dept_id, count(*) filter (where m.is_primary)::int as primary_count, count(*) filter (where not m.is_primary)::int as part_count
    from dept_member m
    join staff_span t on t.school_id = m.school_id and t.user_id = m.user_id and ${validOn('t', on)}
    where m.school_id = ${school_id} and t.school_id = ${school_id} and m.member_kind = 'staff' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
    group by m.dept_id`.execute(db)
  return rows
}
