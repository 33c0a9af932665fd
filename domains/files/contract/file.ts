import { api, download, get, post, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { kind_extensions, thumb_widths } from './dictionary.ts'

const name_part = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/)

/** A file key taken apart: `{school_id}/{user_id}/{yyyyMMdd}/{name}`; before there were tickets, and for what ships with the product, `{school_id}/logo/{name}`. */
const Key = z.object({ school_id: SchoolId, folder: z.string().regex(/^(logo|[0-9]{1,18})$/), day: z.string().regex(/^[0-9]{8}$/).optional(), name: name_part })

const qiniu_looks = Object.fromEntries(thumb_widths.map(width => [`imageView2/2/w/${width}`, z.string().optional()]))

/** Thumbnails are asked for as the stores do: `x-oss-process=image/resize,m_lfit,w_N`, or `imageView2/2/w/N` as a name without value. */
const Look = z.object({ ...qiniu_looks, 'x-oss-process': z.string().max(80).optional(), e: z.string().max(12).optional(), s: z.string().max(64).optional() })
const Signed = Look.extend({ u: z.string().regex(/^[0-9]{1,18}$/), e: z.string().max(12), s: z.string().max(64) })

export const fileApi = api('material', 'files.file', {
  read: get('f/:school_id/:folder/:name', {
    also: ['f/:school_id/:folder/:day/:name'], params: Key, query: Look, reply: download, open: '登录页显示学校标志与背景，尚无登录态；其他文件须有登录态或签名',
  }),
  /** a private file; the signature names who looks, and each look is logged (F7) */
  view: get('p/:school_id/:folder/:day/:name', { params: Key.required(), query: Signed, reply: download, ticket: 'signed address', op: 13 }),
})

/** The form of the embedded store: the names that the three stores give their fields. */
export const UploadForm = z.object({
  key: z.string().max(200),
  policy: z.string().max(4000).optional(),
  Signature: z.string().max(200).optional(),
  'x-amz-signature': z.string().max(200).optional(),
  token: z.string().max(6000).optional(),
})
export type UploadForm = z.output<typeof UploadForm>

export const uploadApi = api('material', 'files.upload', {
  save: post('upload/:ticket', {
    params: z.object({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
    body: UploadForm,
    reply: z.object({ key: z.string() }),
    upload: { max_mb: 2048, extensions: Object.values(kind_extensions).flat().map(ext => `.${ext}`) },
    ticket: 'upload form',
  }),
})
