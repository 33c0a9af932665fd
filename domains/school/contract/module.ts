import { api, Day, get, put } from '@kit/contract'
import { z } from 'zod'

/** What a kept secret answers as: it can be set and removed, never read. */
export const hidden_secret = '●●●●'
/** A module that ends within so many days is shown as ending. */
export const ending_days = 30

const Address = z.union([z.literal('').transform(() => null), z.null(), z.url({ protocol: /^https?$/, error: '网址不正确，须以http://或https://开头' }).max(300)])
const Origin = z.string().trim().regex(/^https?:\/\/[A-Za-z0-9.-]{1,180}(:[0-9]{1,5})?$/, '嵌入来源只填协议、主机名和端口，如https://portal.example.cn')

/** How the school runs a sub-application. `secret`: absent = as it is, null = remove. */
export const SubAppDraft = z.strictObject({
  sub_app_url: Address,
  token_url: Address,
  sign_mode: z.enum(['hmac', 'md5']),
  secret: z.string().min(8, '密钥至少8位').max(100).nullable().optional(),
  frame_origins: z.array(Origin).max(5, '嵌入来源最多5个'),
  entry_open: z.boolean(),
})
export type SubAppDraft = z.output<typeof SubAppDraft>

/** `valid_to` is the first day on which it is over, null = open. */
export const ModulePeriod = z.object({ valid_from: Day, valid_to: Day.nullable(), enabled: z.boolean() })
export type ModulePeriod = z.output<typeof ModulePeriod>

export const ModuleLine = z.object({
  module_code: z.string(),
  title: z.string(),
  kind: z.enum(['group', 'sub_app']),
  /** part of the product that a school cannot do without */
  fixed: z.boolean(),
  /** today: open, switched off, over, or not begun */
  state: z.enum(['open', 'off', 'ended', 'future']),
  /** days that are left, where it is open and ends within `ending_days` */
  days_left: z.number().int().nullable(),
  /** in time; none = always open */
  periods: z.array(ModulePeriod),
  /** `built`: its pages are part of this product; without them and without an address it leads nowhere */
  sub_app: z.object({ sub_app_url: z.string().nullable(), token_url: z.string().nullable(), sign_mode: z.enum(['hmac', 'md5']), secret: z.string().nullable(), frame_origins: z.array(z.string()), entry_open: z.boolean(), built: z.boolean() }).nullable(),
})
export type ModuleLine = z.output<typeof ModuleLine>

export const ModuleList = z.object({ nav_version: z.number().int(), today: Day, list: z.array(ModuleLine) })
export type ModuleList = z.output<typeof ModuleList>

/** From `valid_from` on (today or later) the module is as said here, until `valid_to`; what was planned from that day on is replaced, what was before stays. */
const ModuleDraft = z
  .strictObject({
    nav_version: z.number().int(),
    module_code: z.string().max(40),
    enabled: z.boolean(),
    valid_from: Day,
    valid_to: Day.nullable(),
    sub_app: SubAppDraft.optional(),
  })
  .refine(({ valid_from, valid_to }) => valid_to === null || valid_to > valid_from, { error: '结束日期不能早于开始日期', path: ['valid_to'] })

export const moduleApi = api('web', 'school.module', {
  list: get('school_module', { reply: ModuleList, need: 'school.nav.edit', within: 'school' }),
  save: put('school_module', { body: ModuleDraft, reply: ModuleList, need: 'school.nav.edit', within: 'school' }),
})
