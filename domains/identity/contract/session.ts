import { api, Done, get, id, Instant, post, queryList } from '@kit/contract'
import { z } from 'zod'
import { OwnPasswordBody, RoleEntry, Cipher } from './login.ts'

export const SessionRow = z.object({
  session_id: z.uuid(),
  device_label: z.string(),
  ip: z.string(),
  role_name: z.string(),
  started_at: Instant,
  seen_at: Instant,
  is_current: z.boolean(),
})

/** A role group; `role_count` roles stand in it. */
export const RoleGroupRow = z.object({
  role_group_id: id('identity.role_group'),
  code: z.string(),
  name: z.string(),
  client_kind: z.string(),
  is_system: z.boolean(),
  order: z.number().int(),
  row_version: z.number().int(),
  role_count: z.number().int(),
})

export const UserCard = z.object({
  user_id: id('identity.account'),
  user_no: z.string(),
  user_name: z.string(),
  user_photo: z.string().nullable(),
  user_kind: z.number().int(),
})

/** The signed-in person's own session, devices, roles and password. */
export const sessionApi = api('web', 'identity.session', {
  logout: post('auth/session/logout', { reply: Done, session: true, op: 2 }),
  mine: get('auth/session/mine', { reply: z.object({ list: z.array(SessionRow) }), session: true, within: 'self' }),
  revoke: post('auth/session/revoke', { body: z.object({ session_id: z.uuid() }), reply: Done, session: true, within: 'self', op: 2 }),
  modifyPassword: post('account/modifyPassword', {
    also: ['userInfo/modifyPwd'],
    body: OwnPasswordBody,
    reply: Done,
    session: true,
    within: 'self',
    op: 4,
  }),
  isDefault: get('user-set/password/is_default', { reply: z.object({ is_default: z.number().int() }), session: true, within: 'self' }),
  checkSelfPassword: post('userInfo/check_self_password', {
    body: z.object({ password: Cipher, cap_key: z.uuid() }),
    reply: z.object({ recheck_token: z.string(), expire_at: Instant }),
    session: true,
    within: 'self',
    op: 1,
  }),
  roles: get('role/list_by_user', {
    query: z.object({ with_appid: z.literal('1').optional() }),
    reply: z.object({ list: z.array(RoleEntry) }),
    session: true,
    within: 'self',
  }),
  roleGroups: get('roleGroup/list', {
    query: z.object({ with_module_group: z.literal('0').optional() }),
    reply: z.object({ list: z.array(RoleGroupRow) }),
    session: true,
    within: 'school',
  }),
  cards: get('userInfo/list_by_ids', {
    query: z.object({ user_ids: queryList(id('identity.account'), 100) }),
    reply: z.object({ list: z.array(UserCard) }),
    session: true,
    within: 'school',
  }),
})
