import { api, get, post, SchoolId } from '@kit/contract'
import { z } from 'zod'

/** What anybody may know of a school: the login page's face. Unknown and suspended ids answer the same shape, empty. */
export const SchoolFace = z.object({
  school_id: z.number().int(),
  school_name: z.string(),
  school_logo_url: z.string().nullable(),
  school_type: z.number().int(),
  login_bg_url: z.string().nullable(),
  is_password_strong: z.number().int(),
  login_password_call: z.string(),
  providers: z.array(z.object({ shape: z.string(), label: z.string(), icon: z.string(), start_url: z.string() })),
})

/** Public part of school_config for the signed-in console (product spec §3 School config). */
export const SchoolConfig = z.object({
  dept_name_format: z.number().int(),
  gps_type: z.number().int(),
  is_password_strong: z.number().int(),
  oss_type: z.number().int(),
  oss_http_prefix: z.string().nullable(),
  oss_bucket: z.string().nullable(),
  oss_region: z.string().nullable(),
  oss_endpoint: z.string().nullable(),
  nocheck_status_autochange: z.number().int(),
  course_period: z.number().int().nullable(),
  open_ai_help: z.number().int(),
  ai_help_url: z.string().nullable(),
  forbid_face_test: z.number().int(),
  face_protocol: z.boolean(),
  roles: z.array(z.string()),
  config_version: z.number().int(),
})

export const SchoolInfo = z.object({
  school_id: z.number().int(),
  school_name: z.string(),
  school_logo: z.string().nullable(),
  school_logo_url: z.string().nullable(),
  school_type: z.number().int(),
  course_type: z.number().int(),
})

export const schoolApi = api('web', 'school.school', {
  face: get('school/:id', { params: z.object({ id: SchoolId }), reply: SchoolFace, open: '登录页显示学校名称与标志，尚无登录态' }),
  config: get('school/:id/config', { params: z.object({ id: SchoolId }), reply: SchoolConfig, session: true, within: 'school' }),
  info: get('school/info/select', { reply: SchoolInfo, session: true, within: 'school' }),
})

export const ClientError = z.object({
  route: z.string().max(200),
  name: z.string().max(100),
  hash: z.string().max(64),
  version: z.string().max(40),
})

export const clientErrorApi = api('web', 'school.client_error', {
  report: post('client_error', { body: ClientError, reply: z.object({}), open: '页面错误上报，不含个人数据' }),
})
