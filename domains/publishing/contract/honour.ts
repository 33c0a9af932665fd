import { DeptId } from '@campus/people/contract'
import { api, choice, Day, del, dictionaryCode, Done, firstDay, get, id, keyword, lastDay, list, post, put, reference } from '@kit/contract'
import { z } from 'zod'
import { honour_states } from './dictionary.ts'

export const HonourId = id('publishing.honour')
const count = z.number().int()
export const most_awarded = 100

/** One honour of one class or department. */
export const HonourRow = z.object({
  id: HonourId, dept_id: DeptId, dept_name: z.string(), honour_code: z.string(), title: z.string(), level: z.string().nullable(), grade: z.string().nullable(), awarded_on: Day, rotating: z.boolean(), held_from: Day.nullable(), held_to: Day.nullable(),
  board_from: Day.nullable(), board_to: Day.nullable(), note: z.string().nullable(), state: z.enum(['1', '2']), revoke_reason: z.string().nullable(), row_version: count,
})
export type HonourRow = z.output<typeof HonourRow>

function honourList(title: string, dictionary: string, dept: string) {
  return list({
    title, row: HonourRow, key: 'id',
    columns: {
      title: { label: '荣誉名称', width: 200 },
      honour_code: { label: '类型', width: 120, dictionary },
      dept_name: { label: dept, width: 140 },
      level: { label: '级别', width: 120, dictionary: 'HONOUR_LEVEL' },
      grade: { label: '等次', width: 84, dictionary: 'HONOUR_GRADE' },
      awarded_on: { label: '获得日期', width: 104, kind: 'day' },
      held: { label: '持有', width: 180, text: row => (row.held_from === null ? '' : `${row.held_from} 至 ${row.held_to ?? '今'}`) },
      state: { label: '状态', width: 84, names: honour_states },
      note: { label: '备注', width: 160 },
    },
    filters: { keyword: keyword(`荣誉名称/${dept}`), honour_code: dictionaryCode('类型', dictionary), state: choice('状态', honour_states), from: firstDay('获得日期', 'to'), to: lastDay(), dept_id: reference(dept, 'people.dept', DeptId) },
  })
}
export const classHonourList = honourList('班级荣誉', 'HONOUR_CLASS', '班级')
export const deptHonourList = honourList('部门荣誉', 'HONOUR_DEPT', '部门')

const shared = {
  title: z.string().trim().min(1, { error: '请填写荣誉名称' }).max(40, { error: '名称超过40个字' }), honour_code: z.string().min(1, { error: '请选择类型' }).max(4), level: z.string().max(4).nullable().default(null), grade: z.string().max(4).nullable().default(null),
  awarded_on: Day, board_from: Day.nullable().default(null), board_to: Day.nullable().default(null), note: z.string().trim().max(100, { error: '备注超过100个字' }).default(''),
}
/** `transfer`: a flag that another one holds goes over to the new holder. */
export const HonourDraft = z.strictObject({ ...shared, dept_ids: z.array(DeptId).min(1, { error: '请选择班级或部门' }).max(most_awarded), transfer: z.boolean().default(false) })
export type HonourDraft = z.output<typeof HonourDraft>

/** A rotating flag of a grade by week; `holders` is empty in a week without an award: 空缺, null before its first one (chapter 60 rule 42). */
const Flag = z.object({
  scope_dept_id: DeptId,
  scope_name: z.string(),
  code: z.string(),
  cells: z.array(z.array(z.object({ id: HonourId, dept_name: z.string() })).nullable()),
})
/** Who won what in which week, and where each rotating flag was. */
const Board = z.object({
  weeks: z.array(Day),
  rows: z.array(
    z.object({
      dept_id: DeptId,
      dept_name: z.string(),
      cells: z.array(z.array(z.object({ id: HonourId, code: z.string(), title: z.string() }))),
    }),
  ),
  flags: z.array(Flag),
})
export type HonourBoard = z.output<typeof Board>

function honourApi(path: string, noun: string, of: ReturnType<typeof honourList>) {
  const view = { need: 'publishing.honour.view', within: 'dept' } as const
  const edit = { need: 'publishing.honour.edit', within: 'dept' } as const
  const ById = z.object({ id: HonourId })
  return api('web', noun, {
    list: get(`${path}/list`, { query: of.query, reply: of.reply, ...view }),
    board: get(`${path}/board`, { query: z.object({ to: Day, weeks: z.coerce.number().int().min(1).max(26).default(8) }), reply: Board, ...view }),
    add: post(`${path}/add`, { body: HonourDraft, reply: z.object({ added: count }), ...edit }),
    update: put(`${path}/:id`, { params: ById, body: z.strictObject({ ...shared, row_version: count }), reply: Done, ...edit }),
    revoke: del(`${path}/:id`, { params: ById, query: z.object({ reason: z.string().trim().min(1, { error: '请填写撤销原因' }).max(200) }), reply: Done, ...edit }),
  })
}
export const classHonourApi = honourApi('classHonour', 'publishing.class_honour', classHonourList)
export const deptHonourApi = honourApi('deptHonor', 'publishing.dept_honour', deptHonourList)
export type HonourApi = typeof classHonourApi
