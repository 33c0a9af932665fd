import { tree_kinds } from '@campus/people/contract'
import { z } from 'zod'
import { leadersOn } from '../dept.board.queries.ts'
import { deptsById } from '../dept.edit.queries.ts'
import { deptsOn, labelVersions, memberCounts } from '../dept.queries.ts'
import { readRemarkFields, remarksOf } from '../remark/remark.queries.ts'
import type { DeptScope, Tree } from '../scope.ts'
import type { RosterDesk } from '../student.service.ts'
import type { Roster } from './roster.ts'

/** Which tree and day, as a job keeps it. */
export const DeptListFacts = z.object({ on: z.string(), tree: z.enum(tree_kinds) })
export type DeptListFacts = z.output<typeof DeptListFacts>

type Row = {
  path: string
  dept_name: string
  dept_type: number
  grade: string | null
  enrol_year: number | null
  class_type: string | null
  capacity: number | null
  head: string
  vices: string
  order: number
  remarks: string
  people: number
}

const deputy = 'vice_head'
const grade_type = 3

/** 部门清单 of one tree: the columns of the import sheet, then how many may be and are there. */
export function deptRoster(tree: Tree): Roster<DeptListFacts, Row> {
  return {
    title: tree === 'staff' ? '教职工部门清单' : '学生部门清单',
    unit: '个部门',
    tree,
    columns: {
      parent_path: { label: '上级部门全路径', text: row => row.path.split('/').slice(0, -1).join('/') },
      dept_name: { label: '部门名称', text: row => row.dept_name },
      dept_type: { label: '部门类型', text: (row, words) => words.name('DEPT_TYPE', String(row.dept_type)) },
      is_grade: { label: '是否年级', text: row => (row.dept_type === grade_type ? '是' : '否') },
      grade: { label: '年级代码', text: (row, words) => (row.dept_type === grade_type ? words.name('GRADE', row.grade) : '') },
      enrol_year: { label: '入学年份', text: row => String(row.enrol_year ?? '') },
      class_type: { label: '班级类型', text: (row, words) => words.name('CLASS_TYPE', row.class_type) },
      head_no: { label: '班主任工号', text: row => row.head },
      vice_no: { label: '副班主任工号', text: row => row.vices },
      order: { label: '显示顺序', numeric: true, text: row => String(row.order) },
      remark: { label: '备注', text: row => row.remarks },
      capacity: { label: '人数上限', numeric: true, text: row => String(row.capacity ?? '') },
      people: { label: tree === 'staff' ? '教职工人数' : '学生人数', numeric: true, text: row => String(row.people) },
    },
    async count(desk, scope, query) {
      return (await listed(desk, scope, query)).length
    },
    async order(desk, scope, query, limit) {
      return (await listed(desk, scope, query)).slice(0, limit).map(row => row.id)
    },
    rows: (desk, scope, query, ids) => rowsOf(desk, scope, query, ids),
    facts: query => [`日期 ${query.on}`],
  }
}

/** The departments of the scope in the order of the tree, without the school itself. */
async function listed({ db, school_id }: RosterDesk, scope: DeptScope, { tree, on }: DeptListFacts) {
  const rows = await deptsOn(db, school_id, tree, on)
  const below = Map.groupBy(rows, row => row.parent_id)
  const walk = (parent_id: string | null): typeof rows => (below.get(parent_id) ?? []).flatMap(row => [row, ...walk(row.id)])
  return walk(null).filter(row => row.parent_id !== null && (scope === 'all' || scope.includes(row.id)))
}

async function rowsOf({ db, school_id }: RosterDesk, scope: DeptScope, { tree, on }: DeptListFacts, ids: readonly string[]): Promise<Row[]> {
  const facts = await deptsById(db, school_id, ids)
  const versions = new Map((await labelVersions(db, school_id, ids, on)).map(version => [version.dept_id, version]))
  const leaders = Map.groupBy(await leadersOn(db, school_id, ids, on), leader => leader.dept_id)
  const numbers = new Map((await db.selectFrom('staff').select(['user_id', 'teacher_no']).where('school_id', '=', school_id).execute()).map(one => [one.user_id, one.teacher_no]))
  const counts = new Map((await memberCounts(db, school_id, on, scope)).map(count => [count.dept_id, count]))
  const labels = new Map((await readRemarkFields(db, school_id)).map(field => [field.id, field.label]))
  const remarks = Map.groupBy(await remarksOf(db, school_id, ids), row => row.dept_id)
  const orders = new Map<string, number>()
  return ids.flatMap(id => {
    const [dept, version, count] = [facts.get(id), versions.get(id), counts.get(id)]
    if (!dept || !version) return []
    const parent = version.pt_node_path_name.split('/').slice(0, -1).join('/')
    orders.set(parent, (orders.get(parent) ?? 0) + 1)
    const nos = (duty: boolean) => (leaders.get(id) ?? []).filter(leader => (leader.duty === deputy) === duty).map(leader => numbers.get(leader.user_id) ?? '').join('；')
    return [{
      path: version.pt_node_path_name, dept_name: version.dept_name, dept_type: dept.dept_type, grade: version.grade, enrol_year: dept.enrol_year, class_type: dept.class_type, capacity: dept.capacity,
      head: nos(false), vices: nos(true), order: orders.get(parent) ?? 1,
      remarks: (remarks.get(id) ?? []).map(row => `${labels.get(row.field_id) ?? ''}：${row.value}`).join('；'),
      people: (tree === 'staff' ? count?.staff_count : count?.student_count) ?? 0,
    }]
  })
}
