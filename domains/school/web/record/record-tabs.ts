import { configApi, dictionaryEditApi, navSettingApi, schoolInfoApi, schoolManageApi } from '@campus/school/contract'
import { schoolPorts } from '../ports.ts'
import type { SchoolTab } from '../ports.ts'

type TabFact = Pick<SchoolTab, 'key' | 'label' | 'call'>

const own_tabs: readonly TabFact[] = [
  { key: 'info', label: '基本信息', call: schoolInfoApi.detail },
  { key: 'config', label: '系统配置', call: configApi.update },
  { key: 'nav', label: '导航与应用', call: navSettingApi.read },
  { key: 'dictionary', label: '字典', call: dictionaryEditApi.types },
]
const last_tab: TabFact = { key: 'schools', label: '学校列表', call: schoolManageApi.page }

/** The tabs of 学校信息 with the call that each stands on; the first one has the address without a tab. */
export function recordTabs(): readonly TabFact[] {
  return [...own_tabs, ...schoolPorts().tabs, last_tab]
}
