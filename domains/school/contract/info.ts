import { api, filled, get, loose, post } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { z } from 'zod'

const code = z.union([z.literal('').transform(() => null), z.null(), z.string().regex(/^[0-9A-Za-z]{1,20}$/, '字典值不存在')])
/** Digits and signs of a Chinese keyboard are what they stand for. */
const typed = (shape: RegExp, msg: string) => z.union([z.literal('').transform(() => null), z.null(), z.string().transform(text => foldFullWidth(text).trim()).pipe(z.string().regex(shape, msg))])
const place = (most: number) => z.number().min(-most).max(most).nullable()

/** What an administrator may say of the school (screen 基本信息). */
export const SchoolDraft = z.strictObject({
  school_name: filled({ kind: 'no_special', max: 30 }),
  school_code: loose({ kind: 'alnum_1_50', max: 20 }),
  division: typed(/^[0-9]{6}$/, '行政区划不正确'),
  address: loose({ kind: 'text', max: 200 }),
  bxlx: code,
  school_run_by: code,
  urban_rural: code,
  principal_name: loose({ kind: 'name', max: 50 }),
  tel: typed(/^[0-9+()（） -]{5,20}$/, '联系电话不正确'),
  icp_no: loose({ kind: 'text', max: 60 }),
  home_lng: place(180),
  home_lat: place(90),
})
export type SchoolDraft = z.output<typeof SchoolDraft>

/** The whole row of the own school. */
export const SchoolDetail = z.object({
  school_id: z.number().int(),
  school_name: z.string(),
  school_type: z.number().int(),
  school_code: z.string().nullable(),
  school_logo_url: z.string().nullable(),
  login_bg_url: z.string().nullable(),
  state: z.number().int(),
  division: z.string().nullable(),
  address: z.string().nullable(),
  bxlx: z.string().nullable(),
  school_run_by: z.string().nullable(),
  urban_rural: z.string().nullable(),
  principal_name: z.string().nullable(),
  tel: z.string().nullable(),
  icp_no: z.string().nullable(),
  home_lng: z.number().nullable(),
  home_lat: z.number().nullable(),
  row_version: z.number().int(),
})
export type SchoolDetail = z.output<typeof SchoolDetail>

export const schoolInfoApi = api('web', 'school.info', {
  detail: get('school/info/detail', { reply: SchoolDetail, need: 'school.info.view', within: 'school' }),
  update: post('school/info/update', {
    body: SchoolDraft.extend({ row_version: z.number().int() }),
    reply: SchoolDetail,
    need: 'school.info.edit',
    within: 'school',
    op: 4,
  }),
})
