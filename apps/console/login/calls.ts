import { ask } from './call.ts'
import type { Answer } from './call.ts'
import type { Captcha, Dictionaries, LoginReply, Navigations, PasswordSet, RoleEntry, RoleGroups, SchoolConfig, SchoolFace, SchoolInfo, TokenReply, UserCards } from './wire.ts'

/** A picture captcha, or a key without picture (`nonce`) for the password dialog; both carry the encryption key. */
export function getCaptcha(type: 'login' | 'nonce'): Promise<Answer<Captcha>> {
  return ask({ method: 'GET', path: '/web/captcha', query: { type } })
}

/** What anybody may know of the school in the address; an unknown id answers an empty name. */
export function getSchoolFace(school_id: number): Promise<Answer<SchoolFace>> {
  return ask({ method: 'GET', path: `/web/school/${school_id}` })
}

/** The password rule of a school, or of the installation. */
export function getPasswordSet(school_id: number | undefined): Promise<Answer<PasswordSet>> {
  return ask({ method: 'GET', path: '/web/user-set/password/get_set_by_school_id', query: { school_id } })
}

/** Any of the calls that answer like a login: the form's, the directory's, the automatic ones. */
export function postLogin(path: string, body: object): Promise<Answer<LoginReply>> {
  return ask({ method: 'POST', path, body })
}

/** Sets a new password with the ticket of 6005 or 6006; `pwd` is encrypted under the nonce `cap_key`. */
export function postForcedPassword(body: { pwd: string; code: string; cap_key: string }): Promise<Answer<object>> {
  return ask({ method: 'POST', path: '/web/account/modifyDefaultPassword', body })
}

/** Turns the role ticket into a session for one identity. */
export function getToken(entry: RoleEntry, ticket: string, reason: string | undefined): Promise<Answer<TokenReply>> {
  const { id, code, user_id, user_dep, school_id } = entry
  const query = { role_no: id, code, user_id, user_dep, is_invalidate: 0, school_id, client: 'web', reason }
  return ask({ method: 'GET', path: '/web/userInfo/get_jwt_with_role_no', query, token: ticket })
}

/** Ends a session that will not be used. */
export function postLogout(token: string): Promise<Answer<object>> {
  return ask({ method: 'POST', path: '/web/auth/session/logout', body: {}, token })
}

/** The menu and the permission codes of a role. */
export function getNavigations(role_id: string, token: string): Promise<Answer<Navigations>> {
  const query = { type: 0, role_id, app_code: 'app_education_platform' }
  return ask({ method: 'GET', path: '/web/navigations', query, token })
}

/** What a session needs besides its menu, asked in parallel: the person, role groups, dictionary, configuration, school. */
export async function getSurroundings(entry: RoleEntry, dictionary_version: string | undefined, token: string): Promise<Answer<Surroundings>> {
  const { school_id, user_id } = entry
  const read = <T>(path: string, query: Record<string, string | number | undefined> = {}) => ask<T>({ method: 'GET', path, query, token })
  const [person, groups, dictionary, config, school] = await Promise.all([
    read<UserCards>('/web/userInfo/list_by_ids', { user_ids: user_id }),
    read<RoleGroups>('/web/roleGroup/list', { with_module_group: 0 }),
    read<Dictionaries>('/web/code/get_all_dic', { school_id, version: dictionary_version }),
    read<SchoolConfig>(`/web/school/${school_id}/config`),
    read<SchoolInfo>('/web/school/info/select'),
  ])
  if (person.kind !== 'ok') return person
  if (groups.kind !== 'ok') return groups
  if (dictionary.kind !== 'ok') return dictionary
  if (config.kind !== 'ok') return config
  if (school.kind !== 'ok') return school
  return { kind: 'ok', data: { groups: groups.data, dictionary: dictionary.data, config: config.data, school: school.data } }
}

export type Surroundings = { groups: RoleGroups; dictionary: Dictionaries; config: SchoolConfig; school: SchoolInfo }
