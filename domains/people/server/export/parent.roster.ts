import { parent_export_fields } from '@campus/people/contract'
import type { ParentRow } from '@campus/people/contract'
import { z } from 'zod'
import { countParents, orderedParents, parentsOf } from '../parent.queries.ts'
import { parentFilter, parentRows } from '../parent.service.ts'
import type { DeptScope } from '../scope.ts'
import type { RosterDesk } from '../student.service.ts'
import type { Roster } from './roster.ts'
import { schoolMinute, shownKeyword } from './roster.words.ts'

/** The filter of the parents' list as a job keeps it; `on` is the day it was asked for. */
export const ParentFacts = z.object({
  on: z.string(),
  dept_id: z.string().optional(),
  include_sub: z.boolean().optional(),
  keyword: z.string().optional(),
  is_guardian: z.boolean().optional(),
})
export type ParentFacts = z.output<typeof ParentFacts>

const labels = parent_export_fields
const filterOf = (desk: RosterDesk, scope: DeptScope, query: ParentFacts) => parentFilter(desk, scope, query, query.on)

/** 家长名册: the parents' list of 学生家长档案. */
export const parentRoster: Roster<ParentFacts, ParentRow> = {
  title: '家长名册',
  columns: {
    user_name: { label: labels.user_name, text: row => row.user_name },
    mobile: { label: labels.mobile, text: row => row.mobile ?? '' },
    children: { label: labels.children, text: row => row.children.map(child => [child.user_name, child.dept_name ?? ''].filter(text => text !== '').join(' ')).join('；') },
    relation: { label: labels.relation, text: (row, words) => [...new Set(row.children.map(child => words.name('PICKUP_RELATION', child.relation) + (child.is_guardian ? '（监护人）' : '')))].join('、') },
    updated_at: { label: labels.updated_at, text: row => schoolMinute(new Date(row.updated_at)) },
  },
  async count(desk, scope, query) {
    const filter = await filterOf(desk, scope, query)
    return filter ? countParents(desk.db, filter) : 0
  },
  async order(desk, scope, query, limit) {
    const filter = await filterOf(desk, scope, query)
    return filter ? orderedParents(desk.db, filter, limit) : []
  },
  async rows(desk, scope, query, ids) {
    const filter = await filterOf(desk, scope, query)
    return filter ? parentRows(desk, filter, await parentsOf(desk.db, desk.school_id, ids)) : []
  },
  facts: (query, words) => [
    ...(words.dept_name === null ? [] : [`班级 ${words.dept_name}${query.include_sub ? '（含下级）' : ''}`]),
    ...(query.is_guardian === undefined ? [] : [query.is_guardian ? '监护人' : '非监护人']),
    ...(query.keyword === undefined ? [] : [`关键字 ${shownKeyword(query.keyword)}`]),
    '排序 姓名',
  ],
}
