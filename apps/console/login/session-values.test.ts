import { expect, test } from 'vitest'
import { sessionValues } from './session-values.ts'
import type { SignedIn } from './session-values.ts'
import type { RoleEntry } from './wire.ts'

function entry(id: string, school_id: number): RoleEntry {
  return {
    id, code: 'SYS001_Admin', name: '学校管理员', user_id: '10', user_no: 'T001', user_dep: '1', user_dep_name: null,
    school_id, school_name: '学校', school_type: 1, school_logo: null, course_type: 1, sync_type: 0, dept_is_exact: 1,
    allow_login_web: 0, allow_login_web_text: null, ac_role_group: { code: 'SYS001', name: '旧名' },
  }
}

const signed: SignedIn = {
  account: 'duo01',
  has_school_id: true,
  role_actions: ['x'],
  identities: [entry('1', 900001), entry('2', 900003)],
  issued: { token: 'jwt', expire_at: '', server_time: '', session_id: '', role: entry('2', 900003), role_id: '52', dept_is_exact: 1 },
  groups: { list: [{ role_group_id: '7', code: 'SYS001', name: '管理组', client_kind: 'web', is_system: true, order: 1, row_version: 1, role_count: 6 }] },
  dictionary: { version: 'v1', list: [] },
  config: {
    dept_name_format: 1, gps_type: 1, is_password_strong: 0, oss_type: 2, oss_http_prefix: 'https://x', oss_bucket: null, oss_region: null,
    oss_endpoint: null, nocheck_status_autochange: 0, course_period: null, open_ai_help: 0, ai_help_url: null, forbid_face_test: 0, face_protocol: false,
    roles: [], config_version: 1,
  },
  school: { school_id: 900003, school_name: '学校', school_logo: null, school_logo_url: null, school_type: 1, course_type: 1 },
  navs: [{ code: 'cloud_navs', list: [] }],
  perms: [{ code: 'EduPlatformPerms', list: [{ code: 'school.info.edit' }] }],
  now: 1000,
}

test('a session is stored under the names of the product, of the chosen identity, the token last', () => {
  const values = sessionValues(signed)
  expect(values.at(-1)).toEqual(['token', 'jwt'])
  expect(Object.fromEntries(values)).toMatchObject({
    logoutTime: '1000', isLogin: '0', hasSchoolId: '1', school_id: '900003', account: 'duo01', current_role: 'SYS001', user_id: '10',
    role_nos: '["2","1"]', role_id: '52', menu_perms: '[{"code":"school.info.edit"}]', dept_is_exact: '1', school_type: '1',
    oss_type: '2', oss_http_prefix: 'https://x', oss_region: '', dictionary: '{"version":"v1","list":[]}',
  })
})

test('a dictionary that the browser already holds is left alone', () => {
  expect(Object.fromEntries(sessionValues({ ...signed, dictionary: null }))).not.toHaveProperty('dictionary')
})

test('no password is ever among the stored values', () => {
  expect(Object.fromEntries(sessionValues(signed))).not.toHaveProperty('password')
})

test('role groups of the chosen school bear their present name, others the name of the identity', () => {
  const groups: unknown = JSON.parse(Object.fromEntries(sessionValues(signed)).roleGroupList ?? '')
  expect(groups).toEqual([
    { code: 'SYS001', name: '旧名', school_id: 900001, school_name: '学校', role_group_id: null },
    { code: 'SYS001', name: '管理组', school_id: 900003, school_name: '学校', role_group_id: '7' },
  ])
})
