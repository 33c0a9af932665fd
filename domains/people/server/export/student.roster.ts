import { missing_names, student_export_fields, student_missing, student_sorts } from '@campus/people/contract'
import type { StudentRow } from '@campus/people/contract'
import { z } from 'zod'
import { extOf } from '../field/roll.ts'
import type { DeptScope } from '../scope.ts'
import { countPupils, orderedPupils, pupilsOf } from '../student.queries.ts'
import { pupilFilter, studentRows } from '../student.service.ts'
import type { RosterDesk } from '../student.service.ts'
import type { Roster } from './roster.ts'
import { schoolMinute, shownKeyword } from './roster.words.ts'
import type { RosterWords } from './roster.words.ts'

/** The filter of the pupils' list as a job keeps it; `on` is settled when it is asked for. */
export const PupilFacts = z.object({
  on: z.string(),
  sort: z.enum(student_sorts).optional(),
  dept_id: z.string().optional(),
  include_sub: z.boolean().optional(),
  state: z.string().optional(),
  sex: z.string().optional(),
  grade: z.string().optional(),
  study_method: z.string().optional(),
  stage: z.string().optional(),
  missing: z.enum(student_missing).optional(),
  tag_ids: z.array(z.string()).optional(),
  ext: z.string().optional(),
  remark_field: z.string().optional(),
  remark_value: z.string().optional(),
  keyword: z.string().optional(),
})
export type PupilFacts = z.output<typeof PupilFacts>

const labels = student_export_fields
const sort_words = { student_no: '学号', name_py: '姓名', dept: '班级', updated: '更新时间' }

const filterOf = (desk: RosterDesk, scope: DeptScope, query: PupilFacts) => pupilFilter(desk, scope, query, query.on)

/** 学生名册: the pupils' list of 学生家长档案. */
export const studentRoster: Roster<PupilFacts, StudentRow> = {
  title: '学生名册',
  columns: {
    user_name: { label: labels.user_name, text: row => row.user_name },
    student_no: { label: labels.student_no, text: row => row.student_no },
    dept_name: { label: labels.dept_name, text: row => row.dept_name ?? '' },
    grade: { label: labels.grade, text: (row, words) => words.name('GRADE', row.grade) },
    sex: { label: labels.sex, text: (row, words) => words.name('SEX', row.sex) },
    id_type: { label: labels.id_type, text: (row, words) => words.name('ID_TYPE', row.id_type) },
    id_no: { label: labels.id_no, text: row => row.id_no ?? '' },
    study_method: { label: labels.study_method, text: (row, words) => words.name('STUDY_METHOD', row.study_method) },
    state: { label: labels.state, text: (row, words) => words.name('STUDENT_STATE', row.state) },
    parents: { label: labels.parents, text: (row, words) => row.parents.map(parent => parentText(parent, words)).join('；') },
    completeness: { label: labels.completeness, numeric: true, text: row => String(row.completeness) },
    updated_at: { label: labels.updated_at, text: row => schoolMinute(new Date(row.updated_at)) },
  },
  own: { facet: 'student', text: (row, code) => row.ext[code] ?? '' },
  async count(desk, scope, query) {
    const filter = await filterOf(desk, scope, query)
    return filter ? countPupils(desk.db, filter) : 0
  },
  async order(desk, scope, query, limit) {
    const filter = await filterOf(desk, scope, query)
    return filter ? orderedPupils(desk.db, filter, query.sort ?? 'student_no', { limit, offset: 0 }) : []
  },
  async rows(desk, _scope, { on }, ids) {
    const rows = await studentRows(desk, await pupilsOf(desk.db, { school_id: desk.school_id, on }, ids), on)
    const custom = await extOf(desk, 'student', ids, 'in_export')
    return rows.map(row => ({ ...row, ext: custom.get(row.user_id) ?? {} }))
  },
  facts: (query, words) => [
    `日期 ${query.on}`,
    ...(words.dept_name === null ? [] : [`班级 ${words.dept_name}${query.include_sub ? '（含下级）' : ''}`]),
    ...(query.state === undefined ? [] : [`状态 ${words.name('STUDENT_STATE', query.state)}`]),
    ...(query.sex === undefined ? [] : [`性别 ${words.name('SEX', query.sex)}`]),
    ...(query.grade === undefined ? [] : [`年级 ${words.name('GRADE', query.grade)}`]),
    ...(query.study_method === undefined ? [] : [`就读方式 ${words.name('STUDY_METHOD', query.study_method)}`]),
    ...(query.missing === undefined ? [] : [missing_names[query.missing]]),
    ...(query.tag_ids === undefined ? [] : ['按标签筛选']),
    ...(query.ext === undefined ? [] : ['按自定义字段筛选']),
    ...(query.remark_field === undefined ? [] : [`部门备注 ${query.remark_value ?? '未填'}`]),
    ...(query.keyword === undefined ? [] : [`关键字 ${shownKeyword(query.keyword)}`]),
    `排序 ${sort_words[query.sort ?? 'student_no']}`,
  ],
}

function parentText({ user_name, relation, mobile }: StudentRow['parents'][number], words: RosterWords): string {
  return [user_name, words.name('PICKUP_RELATION', relation), mobile ?? ''].filter(text => text !== '').join(' ')
}
