import { api, Done, get, id, Instant, post, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { OwnRule } from './own-rule.ts'

/** One identity a person may choose (product spec §3 role_list item). `id` is the role_no. */
export const RoleEntry = z.object({
  id: id('identity.role_member'),
  code: z.string(),
  name: z.string(),
  user_id: id('identity.account'),
  user_no: z.string(),
  user_dep: id('people.dept'),
  user_dep_name: z.string().nullable(),
  school_id: z.number().int(),
  school_name: z.string(),
  school_type: z.number().int(),
  school_logo: z.string().nullable(),
  course_type: z.number().int(),
  sync_type: z.number().int(),
  dept_is_exact: z.number().int(),
  /** truthy = NOT allowed on this client (the product's own sense) */
  allow_login_web: z.number().int(),
  allow_login_web_text: z.string().nullable(),
  ac_role_group: z.object({ code: z.string(), name: z.string() }),
})
export type RoleEntry = z.output<typeof RoleEntry>

export const CaptchaReply = z.object({
  image: z.string().nullable(),
  key: z.uuid(),
  public_key: z.string(),
  key_id: z.string(),
  expire_seconds: z.number().int(),
})

/** A field encrypted by SM2: `v1:{key_id}:{hex}` (chapter 10 C1). */
export const Cipher = z.string().max(2000)

export const LoginBody = z.object({
  username: Cipher,
  password: Cipher,
  cap_key: z.uuid(),
  cap_value: z.string().max(4),
  school_id: SchoolId.optional(),
  /** asks for a remember token (chapter 10 S7) */
  remember: z.boolean().optional(),
  /** the phone entry of the sub-applications lets in whom the console does not (chapter 80 M11) */
  client: z.enum(['web', 'mini']).optional(),
})

/** `token` is the role ticket (5 minutes); on 6005 and 6006 the envelope's data is `{have_more_school, token}` instead. */
export const LoginReply = z.object({
  token: z.string(),
  user_id: id('identity.account'),
  user_no: z.string(),
  user_name: z.string(),
  user_photo: z.string().nullable(),
  role_actions: z.array(z.string()),
  role_list: z.array(RoleEntry),
  multi_school_info: z.array(
    z.object({ school_id: z.number().int(), school_name: z.string(), school_logo: z.string().nullable(), count: z.number().int() }),
  ),
  remember_token: z.string().optional(),
})
export type LoginReply = z.output<typeof LoginReply>

export const TokenQuery = z.object({
  role_no: id('identity.role_member'),
  code: z.string().max(40),
  user_id: id('identity.account'),
  user_dep: id('people.dept').default('1'),
  is_invalidate: z.enum(['0', '1']).default('0'),
  school_id: SchoolId,
  client: z.enum(['web', 'mini']),
  /** 信任本机 of the phone entry: eight idle hours instead of half an hour */
  trust: z.enum(['0', '1']).optional(),
  /** why a super account enters another school (R9); its administrators read it in their log */
  reason: z.string().trim().max(60, '原因不能超过60个字').optional(),
})

export const TokenReply = z.object({
  token: z.string(),
  expire_at: Instant,
  server_time: Instant,
  session_id: z.uuid(),
  role: RoleEntry,
  role_id: id('identity.role'),
  dept_is_exact: z.number().int(),
})

export const RefreshReply = z.object({ token: z.string(), expire_at: Instant, server_time: Instant })

/** Set a new password with the ticket of 6005/6006; `pwd` is a cipher bound to the nonce `cap_key`. */
export const ForcedPasswordBody = z.object({ pwd: Cipher, code: z.string().max(200), cap_key: z.uuid() })
export const OwnPasswordBody = z.object({ old_pass: Cipher, new_pass: Cipher, user_id: id('identity.account'), cap_key: z.uuid() })

/** What an anonymous visitor may know of a school's password rule, unknown ids answer the defaults; with a session of that school more of it. */
export const PasswordSet = z.object({ pwd_count: z.number().int(), is_password_strong: z.number().int(), login_max: z.number().int(), ...OwnRule.partial().shape })

export const loginApi = api('web', 'identity.login', {
  captcha: get('captcha', {
    query: z.object({ type: z.enum(['login', 'nonce']).default('login') }),
    reply: CaptchaReply,
    open: '登录前取验证码与加密公钥，尚无登录态',
  }),
  check: post('account/loginCheck', { also: ['auth/cloud_auth/login_check'], body: LoginBody, reply: LoginReply, open: '登录本身', op: 1 }),
  passwordSet: get('user-set/password/get_set_by_school_id', {
    query: z.object({ school_id: SchoolId.optional() }),
    reply: PasswordSet,
    open: '登录页需要知道密码规则，尚无登录态',
  }),
  token: get('userInfo/get_jwt_with_role_no', { query: TokenQuery, reply: TokenReply, ticket: 'role', op: 1 }),
  refresh: post('auth/session/refresh', { reply: RefreshReply, ticket: 'refresh', op: 1 }),
  forcedPassword: post('account/modifyDefaultPassword', {
    also: ['account/update_pwd_by_code'],
    body: ForcedPasswordBody,
    reply: Done,
    ticket: 'password',
    op: 10,
  }),
})
