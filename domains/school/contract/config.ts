import { api, put, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { SchoolConfig } from './school.ts'

const flag = z.union([z.literal(0), z.literal(1)])
const storage = z.union([z.literal(1), z.literal(2), z.literal(3)])
const web_address = z.url({ protocol: /^https?$/, error: '网址不正确，须以http://或https://开头' })
/** An emptied box means: not set. */
const optional = <T extends z.core.$ZodType>(value: T) => z.union([z.literal('').transform(() => null), z.null(), value])

/** What may be set, each with what chapter 10 §1 allows; unknown keys are refused (N1). */
export const ConfigValues = z.strictObject({
  dept_name_format: z.number().int().min(1).max(4),
  gps_type: z.number().int().min(1).max(3),
  is_password_strong: flag,
  oss_type: storage,
  oss_http_prefix: optional(web_address.max(200)),
  oss_bucket: optional(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, '存储空间名称不正确')),
  oss_region: optional(z.string().regex(/^[a-z0-9-]{1,60}$/, '区域不正确')),
  oss_endpoint: optional(z.string().regex(/^[A-Za-z0-9.-]{1,180}(:[0-9]{1,5})?$/, '接入地址不正确，只填主机名和端口')),
  nocheck_status_autochange: flag,
  course_period: z.number().int().min(1).max(9).nullable(),
  open_ai_help: flag,
  ai_help_url: optional(web_address.max(300)),
  forbid_face_test: flag,
  face_protocol: z.boolean(),
  roles: z.array(z.string().regex(/^[A-Z]{3}[A-Za-z0-9_]{1,37}$/)).min(1, '请至少选择一个角色').max(50),
})
export type ConfigValues = z.output<typeof ConfigValues>
export type ConfigKey = keyof ConfigValues

/** What a saved value will do to people, asked of whoever knows: 12 人下次登录需修改密码. */
export const ConfigEffect = z.object({ key: z.string(), count: z.number().int().min(0), text: z.string() })
export type ConfigEffect = z.output<typeof ConfigEffect>

/** `config_version`: the one the values were read with. `dry` only tells the effects. */
export const ConfigChange = z.strictObject({ config_version: z.number().int(), dry: flag.default(0), values: ConfigValues.partial() })

export const configApi = api('web', 'school.config', {
  update: put('supreme/school/:id/config', {
    params: z.object({ id: SchoolId }),
    body: ConfigChange,
    reply: z.object({ config: SchoolConfig, effects: z.array(ConfigEffect) }),
    need: 'school.config.edit',
    within: 'school',
  }),
})
