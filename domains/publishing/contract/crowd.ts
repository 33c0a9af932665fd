import { DeptId, UserId } from '@campus/people/contract'
import { api, carried, choice, Day, del, Done, get, id, Instant, keyword, list, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { scene_names } from './dictionary.ts'

export const CrowdId = id('publishing.crowd')
const count = z.number().int()
const Codes = z.array(z.string().max(4)).max(30).default([])

/** Who belongs by rule: every filled part must hold, within a part one of its values (chapter 60 §1.1). An empty rule holds for nobody. */
export const CrowdRule = z.strictObject({
  dept_ids: z.array(DeptId).max(100).default([]),
  grades: Codes, stages: Codes, sexes: Codes, study_methods: Codes,
  tag_ids: z.array(z.string().regex(/^[0-9]{1,18}$/)).max(20).default([]),
  by_bus: z.boolean().nullable().default(null),
})
export type CrowdRule = z.output<typeof CrowdRule>
export const shared_names = { '0': '本人', '1': '部门', '2': '全校' } as const

export const CrowdDraft = z.strictObject({
  name: z.string().trim().min(1, { error: '请填写人群名称' }).max(30, { error: '名称超过30个字' }),
  scene: z.number().int().min(1).max(2),
  shared: z.number().int().min(0).max(2).default(0),
  rule: CrowdRule,
})
export type CrowdDraft = z.output<typeof CrowdDraft>

export const CrowdRow = z.object({
  id: CrowdId, name: z.string(), scene: count, shared: count, rule: CrowdRule, rule_text: z.string(), members: count, manual: count, author_name: z.string().nullable(), is_mine: z.boolean(),
  last_used_at: Instant.nullable(), updated_at: Instant, row_version: count,
})
export type CrowdRow = z.output<typeof CrowdRow>

export const crowdList = list({
  title: '通知人群', row: CrowdRow, key: 'id',
  columns: {
    name: { label: '人群名称', width: 180 },
    scene: { label: '对象', width: 96, names: scene_names },
    rule_text: { label: '规则', width: 260 },
    members: { label: '人数', width: 84, kind: 'number' },
    manual: { label: '手动成员', width: 84, kind: 'number' },
    shared: { label: '共享', width: 72, names: shared_names },
    author_name: { label: '创建人', width: 84 },
    last_used_at: { label: '最近使用', width: 132, kind: 'instant' },
    updated_at: { label: '修改时间', width: 132, kind: 'instant' },
  },
  filters: { keyword: keyword('人群名称'), scene: choice('对象', scene_names), shared: choice('共享', shared_names) },
})

/** A member and why he is one. */
export const CrowdMember = z.object({
  user_id: UserId, user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), why: z.string(), is_manual: z.boolean(), excluded: z.boolean(), until: Day.nullable(),
})
export type CrowdMember = z.output<typeof CrowdMember>
const why_names = { '1': '规则', '2': '手动加入', '3': '排除' } as const
export const crowdMemberList = list({
  title: '通知人群成员', unit: '人', row: CrowdMember, key: 'user_id', is_about_people: true,
  columns: {
    user_name: { label: '姓名', width: 96 },
    user_no: { label: '编号', width: 112 },
    dept_name: { label: '班级/部门', width: 140 },
    why: { label: '加入原因', width: 160 },
    until: { label: '截止日期', width: 104, kind: 'day' },
  },
  filters: { keyword: keyword('姓名/编号'), how: choice('来源', why_names), crowd_id: carried('', CrowdId) },
})

const view = { need: 'publishing.crowd.view', within: 'audience' } as const
const edit = { need: 'publishing.crowd.edit', within: 'audience' } as const
const ById = z.object({ id: CrowdId })
const Users = z.array(UserId).min(1, { error: '请选择人员' }).max(300)

/** Saved audiences (chapter 60 §4.2). */
export const crowdApi = api('iot', 'publishing.crowd', {
  list: get('notice/crowd/list', { query: crowdList.query, reply: crowdList.reply, ...view }),
  add: post('notice/crowd/add', { body: CrowdDraft, reply: z.object({ id: CrowdId }), ...edit }),
  update: put('notice/crowd/:id', { params: ById, body: CrowdDraft.extend({ row_version: count }), reply: Done, ...edit }),
  remove: del('notice/crowd/:id', { params: ById, reply: Done, ...edit }),
  count: post('notice/crowd/count', {
    body: z.strictObject({ scene: z.number().int().min(1).max(2), rule: CrowdRule }), reply: z.object({ total: count, sample: z.array(z.string()), by_dept: z.array(z.object({ dept_name: z.string(), n: count })) }), reads: true, unlogged: '编辑规则时的人数', ...view,
  }),
  members: get('notice/crowd/:id/user', { params: ById, query: PageQuery.extend({ keyword: crowdMemberList.query.shape.keyword, how: crowdMemberList.query.shape.how }), reply: page(CrowdMember), ...view }),
  addUsers: post('notice/crowd/:id/user', {
    params: ById, body: z.strictObject({ user_ids: Users, mode: z.union([z.literal(1), z.literal(2)]), until: Day.nullable().default(null), note: z.string().trim().max(60).default('') }), reply: z.object({ added: count }), op: 4, ...edit,
  }),
  removeUsers: post('notice/crowd/:id/user_remove', { params: ById, body: z.strictObject({ user_ids: Users }), reply: z.object({ removed: count }), op: 5, ...edit }),
})
