import { staff_export_fields } from '@campus/people/contract'
import type { StaffExportField, StaffRow } from '@campus/people/contract'
import { duties, staff_sorts } from '@campus/people/contract'
import { z } from 'zod'
import type { Roster } from '../export/roster.ts'
import { schoolMinute, shownKeyword } from '../export/roster.words.ts'
import type { RosterWords } from '../export/roster.words.ts'
import { extOf } from '../field/roll.ts'
import type { DeptScope } from '../scope.ts'
import type { RosterDesk } from '../student.filter.ts'
import { countStaff, orderedStaff, staffLines } from './staff.queries.ts'
import { staffFilter, staffRows } from './staff.service.ts'

/** The filter of the staff list as a job keeps it; `on` is the day it was asked for. */
export const StaffFacts = z.object({
  on: z.string(),
  sort: z.enum(staff_sorts).optional(),
  dept_id: z.string().optional(),
  include_sub: z.boolean().optional(),
  kind: z.string().optional(),
  state: z.string().optional(),
  subject: z.string().optional(),
  title: z.string().optional(),
  duty: z.enum(duties).optional(),
  tag_ids: z.array(z.string()).optional(),
  ext: z.string().optional(),
  keyword: z.string().optional(),
})
export type StaffFacts = z.output<typeof StaffFacts>

const sort_words = { teacher_no: '工号', name_py: '姓名', updated: '更新时间' }
const filters = [['kind', '类别', 'STAFF_KIND'], ['state', '状态', 'STAFF_STATE'], ['subject', '学科', 'SUBJECT'], ['title', '职称', 'TITLE_K12']] as const
const duty_words = { head: '班主任', vice_head: '副班主任', grade_head: '年级组长', dept_leader: '部门负责人', safety: '安全负责人' }

const texts: Record<StaffExportField, (row: StaffRow, words: RosterWords) => string> = {
  user_name: row => row.user_name,
  teacher_no: row => row.teacher_no,
  sex: (row, words) => words.name('SEX', row.sex),
  mobile: row => row.mobile ?? '',
  dept: row => row.depts.filter(dept => dept.is_primary).map(dept => dept.dept_name).join('；'),
  part_depts: row => row.depts.filter(dept => !dept.is_primary).map(dept => dept.dept_name).join('；'),
  position: row => row.depts.flatMap(dept => dept.position ?? []).join('；'),
  kind: (row, words) => words.name('STAFF_KIND', row.kind),
  title: (row, words) => words.name('TITLE_K12', row.title),
  subject: (row, words) => words.name('SUBJECT', row.subject),
  heads: row => row.duties.filter(one => one.duty === 'head').map(one => one.dept_name).join('；'),
  state: (row, words) => words.name('STAFF_STATE', row.state),
  roles: row => row.roles.map(role => role.name).join('；'),
  updated_at: row => schoolMinute(new Date(row.updated_at)),
}
const columns = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { label: labelOf(name), text }]))

function labelOf(name: string): string {
  const labels: Readonly<Record<string, string>> = staff_export_fields
  return labels[name] ?? name
}

const filterOf = (desk: RosterDesk, scope: DeptScope, query: StaffFacts) => staffFilter(desk, scope, query, query.on)

/** 教职工名册: the list of 教职工档案. */
export const staffRoster: Roster<StaffFacts, StaffRow> = {
  title: '教职工名册',
  tree: 'staff',
  columns,
  own: { facet: 'staff', text: (row, code) => row.ext[code] ?? '' },
  async count(desk, scope, query) {
    const filter = await filterOf(desk, scope, query)
    return filter ? countStaff(desk.db, filter) : 0
  },
  async order(desk, scope, query, limit) {
    const filter = await filterOf(desk, scope, query)
    return filter ? orderedStaff(desk.db, filter, query.sort ?? 'teacher_no', { limit, offset: 0 }) : []
  },
  async rows(desk, _scope, { on }, ids) {
    const rows = await staffRows(desk, await staffLines(desk.db, { school_id: desk.school_id, on }, ids), on)
    const custom = await extOf(desk, 'staff', ids, 'in_export')
    return rows.map(row => ({ ...row, ext: custom.get(row.user_id) ?? {} }))
  },
  facts: (query, words) => [
    `日期 ${query.on}`,
    ...(words.dept_name === null ? [] : [`部门 ${words.dept_name}${query.include_sub ? '（含下级）' : ''}`]),
    ...filters.flatMap(([name, label, dict]) => (query[name] === undefined ? [] : [`${label} ${words.name(dict, query[name] ?? null)}`])),
    ...(query.duty === undefined ? [] : [`职务 ${duty_words[query.duty]}`]),
    ...(query.ext === undefined ? [] : ['按自定义字段筛选']),
    ...(query.keyword === undefined ? [] : [`关键字 ${shownKeyword(query.keyword)}`]),
    `排序 ${sort_words[query.sort ?? 'teacher_no']}`,
  ],
}
