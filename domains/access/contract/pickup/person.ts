import { UserId } from '@campus/people/contract'
import { api, choice, Day, Done, exportOf, failures, get, id, keyword, list, normalise, post } from '@kit/contract'
import { checkMobile, checkPersonName } from '@kit/contract/checks'
import { z } from 'zod'

/** Who may fetch; none but a confirmed one does (chapter 35 R55). */
export const confirm_states = { '0': '待监护人确认', '1': '已确认', '2': '已停用' } as const
/** Live ones of one child. */
export const most_pickup_persons = 8

/** User-facing failures of adults who fetch. */
export const pickupPersonErrors = failures('access', {
  pickupMany: [422, '每名学生最多8名接送人，请先停用不再需要的'],
  pickupTwice: [409, '该手机号已是此学生的接送人'],
  pickupState: [409, '该接送人已被处理，请刷新后重试'],
  pickupUnconfirmed: [422, '该接送人尚未经监护人确认，不能放行'],
})

export const PickupId = id('access.pickup_person')
const wrong = (check: (text: string) => string | null) => (text: string, ctx: z.RefinementCtx) => {
  const msg = check(text)
  if (msg !== null) ctx.addIssue({ code: 'custom', message: msg })
}

export const PickupPersonRow = z.object({
  pickup_id: PickupId,
  student_id: UserId,
  student_name: z.string(),
  student_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  person_name: z.string(),
  relation: z.string(),
  mobile: z.string(),
  photo_url: z.string().nullable(),
  valid_from: Day,
  valid_to: Day.nullable(),
  confirm_state: z.number().int(),
  has_account: z.boolean(),
  confirmed_by_name: z.string().nullable(),
})
export type PickupPersonRow = z.output<typeof PickupPersonRow>

/** 接送人: adults who may fetch a child besides its guardians. */
export const pickupPersonList = list({
  title: '接送人',
  unit: '人',
  row: PickupPersonRow,
  key: 'pickup_id',
  is_about_people: true,
  columns: {
    student_name: { label: '学生', width: 84 },
    student_no: { label: '学号', width: 104 },
    dept_name: { label: '班级', width: 120 },
    person_name: { label: '接送人', width: 96 },
    relation: { label: '关系', width: 84, dictionary: 'PICKUP_RELATION' },
    mobile: { label: '手机号', width: 108 },
    valid_from: { label: '生效日期', width: 108, kind: 'day' },
    valid_to: { label: '失效日期', width: 108, text: row => row.valid_to ?? '长期' },
    confirm_state: { label: '状态', width: 108, names: confirm_states },
    has_account: { label: '可自助核验', width: 96, kind: 'flag' },
    confirmed_by_name: { label: '确认人', width: 84 },
  },
  filters: { keyword: keyword('学生/接送人'), confirm_state: choice('状态', confirm_states) },
})

export const PickupPersonDraft = z
  .strictObject({
    student_id: UserId,
    person_name: z
      .string({ error: '请填写接送人姓名' })
      .trim()
      .min(1, { error: '请填写接送人姓名' })
      .max(50, { error: '姓名不能超过50个字' })
      .superRefine(wrong(checkPersonName)),
    mobile: z
      .string({ error: '请填写手机号' })
      .overwrite(text => normalise({ kind: 'mobile' }, text))
      .max(20)
      .superRefine(wrong(checkMobile)),
    relation: z.string({ error: '请选择关系' }).min(1, { error: '请选择关系' }).max(2),
    photo_file_key: z.string().max(200).nullable().default(null),
    valid_from: Day,
    valid_to: Day.nullable().default(null),
  })
  .refine(draft => draft.valid_to === null || draft.valid_to >= draft.valid_from, { error: '失效日期不能早于生效日期', path: ['valid_to'] })
export type PickupPersonDraft = z.output<typeof PickupPersonDraft>

const view = { need: 'access.pickup.view', within: 'dept' } as const
const edit = { need: 'access.pickup.edit', within: 'dept' } as const
const Ids = z.array(PickupId).min(1, { error: '请选择接送人' }).max(200)
const Reason = z.string({ error: '请填写原因' }).trim().min(2, { error: '原因为2到100个字' }).max(100, { error: '原因为2到100个字' })
const Mine = PickupPersonRow.pick({
  pickup_id: true,
  student_id: true,
  student_name: true,
  person_name: true,
  relation: true,
  mobile: true,
  photo_url: true,
  valid_from: true,
  valid_to: true,
  confirm_state: true,
})

/** Adults who fetch (chapter 35 §4 Pick-up). */
export const pickupPersonApi = api('iot', 'access.pickup_person', {
  list: get('pickup/person/list', { query: pickupPersonList.query, reply: pickupPersonList.reply, ...view }),
  export: exportOf(pickupPersonList, 'pickup/person/export', view),
  add: post('pickup/person/add', { body: PickupPersonDraft, reply: z.object({ pickup_id: PickupId }), ...edit }),
  /** with a paper that the guardian has signed: who wrote it down is logged */
  confirm: post('pickup/person/paper', {
    body: z.strictObject({ ids: Ids, reason: Reason }),
    reply: z.object({ changed: z.number().int() }),
    op: 4,
    ...edit,
  }),
  stop: post('pickup/person/stop', {
    body: z.strictObject({ ids: Ids, reason: Reason }),
    reply: z.object({ changed: z.number().int() }),
    op: 5,
    ...edit,
  }),
})

/** The guardian's own word, on his phone. */
export const myPickupApi = api('iot', 'access.my_pickup', {
  list: get('pickup/person/mine', { reply: z.object({ list: z.array(Mine) }), session: true, within: 'self' }),
  answer: post('pickup/person/confirm', {
    body: z.strictObject({ pickup_id: PickupId, agreed: z.boolean() }),
    reply: Done,
    op: 4,
    session: true,
    within: 'self',
  }),
})
