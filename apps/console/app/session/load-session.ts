import { sessionApi } from '@campus/identity/contract'
import { dictionaryApi, navigationApi, schoolApi } from '@campus/school/contract'
import type { Reply } from '@kit/contract'
import { usable } from '@kit/contract/checks'
import { call, readStored, readStoredJson, setDictionaries, setPermissions, store } from '@kit/web'
import type { DictionaryEntry } from '@kit/web'
import { roleGroupsOf } from '../../login/login-flow.ts'
import { menuOf, withoutPeriodPages } from '../../login/navigation.ts'
import { pagesOf, visibleMenu } from '../layout/menu-model.ts'
import { useSessionStore } from './session.ts'
import type { Session } from './session.ts'

type Navs = Reply<typeof navigationApi.list>['navs']

/** Fetches what the shell needs, in parallel. Throws CallError; a lost session redirects by itself. */
export async function loadSession(): Promise<Session> {
  const quiet = { quiet: true }
  const school_id = Number(readStored('school_id'))
  const user_id = readStored('user_id') ?? ''
  const role_id = readStored('role_id') ?? ''
  const [cards, roles, , , config, school, navigations] = await Promise.all([
    call(sessionApi.cards, { user_ids: user_id }, quiet),
    call(sessionApi.roles, { with_appid: '1' }, quiet),
    call(sessionApi.roleGroups, { with_module_group: '0' }, quiet),
    loadDictionary(school_id),
    call(schoolApi.config, { id: school_id }, quiet),
    call(schoolApi.info, {}, quiet),
    call(navigationApi.list, { type: '0', role_id, app_code: 'app_education_platform' }, quiet),
  ])
  const role = roles.list.find((entry) => entry.id === chosenRoleNo())
  const person = cards.list[0]
  if (!role || !person) throw new Error('the stored identity is not among the roles of the account')
  const identities = usable(roles.list, { school_id, school_type: school.school_type }, 'web')
  const navs = withoutPeriodPages(navigations.navs, config.course_period)
  setPermissions(navigations.perms.flatMap((group) => group.list))
  remember({ config, school, navs, roleGroupList: roleGroupsOf(identities) })
  const quick = navs.find((group) => group.code === 'QuickNavs')?.list ?? []
  return { person, role, identities, school, config, menu: visibleMenu(menuOf(navs)), quick: visibleMenu(quick), paths: pathsOf(navs) }
}

/** Fetches menu and permissions again after the rights of the identity were changed (platform rule R5); pages and buttons follow. Answers whether it may do other things than before. */
export async function reloadNavigations(): Promise<boolean> {
  const held = readStored('menu_perms')
  const { navs: fresh, perms } = await call(navigationApi.list, { type: '0', role_id: readStored('role_id') ?? '', app_code: 'app_education_platform' }, { quiet: true })
  const { session } = useSessionStore.getState()
  if (!session) return false
  const navs = withoutPeriodPages(fresh, session.config.course_period)
  setPermissions(perms.flatMap((group) => group.list))
  store('nav_menu_data', navs)
  const quick = navs.find((group) => group.code === 'QuickNavs')?.list ?? []
  useSessionStore.setState({ session: { ...session, menu: visibleMenu(menuOf(navs)), quick: visibleMenu(quick), paths: pathsOf(navs) } })
  return readStored('menu_perms') !== held
}

function pathsOf(navs: Navs): ReadonlySet<string> {
  return new Set(pagesOf(menuOf(navs)).map((page) => page.path))
}

/** The chosen identity stands first in `role_nos`. */
function chosenRoleNo(): string | undefined {
  const role_nos = readStoredJson('role_nos')
  return Array.isArray(role_nos) ? String(role_nos[0]) : undefined
}

/** Dictionaries by version: the browser's copy serves while the server says it is unchanged. */
async function loadDictionary(school_id: number): Promise<void> {
  const held = heldDictionary()
  const answer = await call(dictionaryApi.all, { school_id, version: held?.version }, { quiet: true })
  if (answer.unchanged && held) {
    setDictionaries(held.list)
    return
  }
  setDictionaries(answer.list ?? [])
  store('dictionary', answer)
}

function heldDictionary(): { version: string; list: DictionaryEntry[] } | undefined {
  const held = readStoredJson('dictionary')
  if (typeof held !== 'object' || held === null || !('version' in held) || !('list' in held)) return undefined
  return typeof held.version === 'string' && Array.isArray(held.list) ? { version: held.version, list: held.list } : undefined
}

type Remembered = { config: Reply<typeof schoolApi.config>; school: Reply<typeof schoolApi.info>; navs: object; roleGroupList: object }

function remember({ config, school, navs, roleGroupList }: Remembered): void {
  store('schoolConfig', config)
  store('nav_menu_data', navs)
  store('roleGroupList', roleGroupList)
  store('school_type', String(school.school_type))
  store('oss_type', String(config.oss_type))
  store('oss_region', config.oss_region ?? '')
  store('oss_bucket', config.oss_bucket ?? '')
  store('oss_endpoint', config.oss_endpoint ?? '')
  store('oss_http_prefix', config.oss_http_prefix ?? '')
}
