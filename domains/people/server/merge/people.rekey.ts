import { asTables } from '@kit/server/db'
import { z } from 'zod'
import type { Db, PeopleDb } from '../db.ts'
import { schoolDay } from '../day.ts'
import { planApart, planDated, planOnce } from './dated.plan.ts'
import type { DatedSides, OwnedRow, RowPlan } from './dated.plan.ts'
import { planGuardianLinks, planPupilLinks, planStaffMembers } from './family.plan.ts'
import { facet } from './parent-facet.ts'
import { pairConflicts } from './people.conflicts.ts'
import type { LeftRow, MergeSideName, MovedRow, Rekey, RekeyCount, RekeyPair } from './rekey-port.ts'
import { bornSince, highest, rowsOf, takeBack, writePlan } from './rows.store.ts'

const dated = { id: z.number(), valid_from: z.string(), valid_to: z.string().nullable() }
const flag = z.boolean()
const Span = z.looseObject({ ...dated, state: z.string() })
const Duty = z.looseObject({ ...dated, dept_id: z.number(), duty: z.string() })
const Member = z.looseObject({ ...dated, dept_id: z.number(), member_kind: z.string(), is_primary: flag })
const Link = z.looseObject({ ...dated, student_user_id: z.number(), parent_user_id: z.number(), is_first: flag, is_guardian: flag, can_pickup: flag })
const Tagged = z.looseObject({ ...dated, tag_id: z.number() })
const Vehicle = z.looseObject({ ...dated, plate_no: z.string() })
const Contract = z.looseObject({ id: z.number(), product: z.string(), channel: z.string(), state: z.string() })
const OnWhitelist = z.looseObject({ id: z.number(), purpose: z.string(), state: z.string() })
const InBook = z.looseObject({ id: z.number(), type: z.number() })

type Winner = (code: string) => MergeSideName
/** One way in which rows of a table belong to people, and what becomes of them. */
type Follower = { table: string; column: string; title: string; plan(db: Db, pair: RekeyPair, winner: Winner): Promise<{ count: number; write(): Promise<MovedRow[]> }> }

function follower<T extends OwnedRow>(table: string, column: string, title: string, schema: z.ZodType<T>, plan: (sides: DatedSides<T>, winner: Winner) => RowPlan<OwnedRow>): Follower {
  const place = { table, column, schema }
  return {
    table, column, title,
    async plan(db, pair, winner) {
      const { school_id, keep_user_id, drop_user_id, now } = pair
      const sides = { kept: await rowsOf(db, school_id, place, keep_user_id), dropped: await rowsOf(db, school_id, place, drop_user_id), today: schoolDay(now) }
      const planned = plan(sides, winner)
      return { count: planned.moved.length + planned.added.filter(one => sides.dropped.some(row => row === one.row)).length, write: () => writePlan(db, pair, place, planned) }
    },
  }
}

type MemberRow = z.output<typeof Member>

/** Classes of a pupil: one a day. Departments of staff: any number, one of them the primary one. */
function planMembers(sides: DatedSides<MemberRow>, winner: Winner): RowPlan<OwnedRow> {
  const of = (kind: string): DatedSides<MemberRow> => ({ ...sides, kept: sides.kept.filter(row => row.member_kind === kind), dropped: sides.dropped.filter(row => row.member_kind === kind) })
  const classes = planDated(of('student'), () => '', winner('people.class'))
  const depts = planStaffMembers(of('staff'), winner('people.primary_dept'))
  return { moved: [...classes.moved, ...depts.moved], changed: [...classes.changed, ...depts.changed], removed: [...classes.removed, ...depts.removed], added: [...classes.added, ...depts.added] }
}

/** In the order in which they are written. */
const followers: readonly Follower[] = [
  follower('student_span', 'user_id', '学籍状态', Span, (sides, winner) => planDated(sides, () => '', winner('people.state'))),
  follower('staff_span', 'user_id', '任职状态', Span, (sides, winner) => planDated(sides, () => '', winner('people.staff_state'))),
  follower('dept_member', 'user_id', '班级、部门归属', Member, planMembers),
  follower('dept_duty', 'user_id', '班主任等职务', Duty, sides => planDated(sides, row => `${row.dept_id} ${row.duty}`, 'keep')),
  follower('guardian_link', 'student_user_id', '家长', Link, sides => planPupilLinks(sides)),
  follower('guardian_link', 'parent_user_id', '孩子', Link, sides => planGuardianLinks(sides)),
  follower('tag_link', 'user_id', '标签', Tagged, sides => planDated(sides, row => String(row.tag_id), 'keep')),
  follower('person_vehicle', 'user_id', '车牌', Vehicle, sides => planDated(sides, row => row.plate_no, 'keep')),
  follower('alipay_whitelist', 'user_id', '支付宝白名单', OnWhitelist, sides => planApart(sides, row => (['failed', 'removed'].includes(row.state) ? null : row.purpose))),
  follower('alipay_whitelist', 'payer_user_id', '支付宝白名单付款人', OnWhitelist, sides => planApart(sides, () => null)),
  follower('sign_contract', 'user_id', '支付签约', Contract, sides => planApart(sides, row => (['terminated', 'failed'].includes(row.state) ? null : `${row.product} ${row.channel}`))),
  follower('sign_contract', 'signer_user_id', '支付签约人', Contract, sides => planApart(sides, () => null)),
  follower('addr_book_entry', 'user_id', '通讯录', InBook, sides => planOnce(sides, row => String(row.type))),
]
const Mark = z.record(z.string(), z.number())

/** What people itself keeps of two people: their dated rows. Names, numbers and facets are chosen field by field (`person.fields.ts`). */
export const peopleRekey: Rekey = {
  domain: 'people',
  title: '人员档案',
  tables: [...new Set(followers.map(({ table }) => table))],
  stays: {
    person: '逐项选择，合并前的值保留', student: '逐项选择，合并前的值保留', staff: '逐项选择，合并前的值保留', parent: '逐项选择，合并前的值保留',
    change_subject: '过去的变更记在当时的人员名下', change_effect: '过去的变更记在当时的人员名下', reveal_window: '查看次数按操作账号计', merge_case: '合并本身的记录',
    merge_log: '合并本身的记录', merge_moved: '合并本身的记录', upgrade_person: '升级方案的例外按当时的人员，合并后须重新模拟', user_delete_detail: '删除队列中的人员按当时的档案处理',
    delegate_dept: '委托按当时的人员，合并后需重新委托',
    collect_answer: '采集答复按当时的人员，已写入的内容随档案合并',
    register_entry: '登记通过时的人员，留在当时的人员名下', freshmen_apply: '报名记录留在报到时的人员名下',
    user_delete_proof: '删除证明留在当时的人员名下', tombstone: '已删除的人员不能合并',
  },
  async preview(pair) {
    const db = asTables<PeopleDb>(pair.db)
    const moves: RekeyCount[] = []
    for (const one of followers) moves.push({ title: one.title, count: (await one.plan(db, pair, () => 'keep')).count })
    return { moves: moves.filter(move => move.count > 0), conflicts: await pairConflicts(db, pair) }
  },
  async apply(step) {
    const db = asTables<PeopleDb>(step.db)
    const moved = await facet.give(db, step)
    for (const one of followers) {
      const planned = await one.plan(db, step, code => step.chosen.get(code) ?? 'keep')
      moved.push(...(await planned.write()))
    }
    return moved
  },
  async undo(pair, rows, mark) {
    const db = asTables<PeopleDb>(pair.db)
    const since = Mark.parse(mark)
    const left: LeftRow[] = []
    for (const { table, column, title } of followers) {
      const count = await bornSince(db, pair.school_id, { table, column }, pair.keep_user_id, since[table] ?? 0)
      if (count > 0) left.push({ title, count, why: 'born' })
    }
    const stuck = await takeBack(db, pair, rows.filter(row => row.table_name !== facet.table))
    for (const [table, list] of Map.groupBy(stuck, row => `${row.table_name} ${row.column_name}`)) {
      const title = followers.find(one => `${one.table} ${one.column}` === table)?.title ?? ''
      left.push({ title, count: list.length, why: 'changed' })
    }
    await facet.take(db, pair, rows)
    return left
  },
  mark: ({ db, school_id }) => highest(asTables<PeopleDb>(db), school_id, peopleRekey.tables),
}

