import { configFields, recordTabs } from '@campus/school/web'
import { can } from '@kit/web'
import { roleGroupsOf } from '../../login/login-flow.ts'
import type { Session } from '../session/session.ts'
import type { Entry } from './entry.ts'

const record_path = '/SchoolRecord'

/** Settings of the identity: the tabs of 学校信息 it may open, and what belongs to the person himself. */
export function settingEntries(pages: readonly Entry[], { identities }: Pick<Session, 'identities'>): Entry[] {
  const record = pages.find(page => page.key === record_path)
  const tabs = record ? recordTabs().filter(tab => can(tab.call)) : []
  const own: Entry[] = [
    { key: 'password', title: '修改密码', about: '个人设置', target: { dialog: 'password' } },
    { key: 'devices', title: '登录设备', about: '个人设置', target: { dialog: 'devices' } },
    { key: 'identity', title: '切换身份', about: '个人设置', target: { dialog: 'identity' } },
    { key: 'about', title: '关于', about: '版本信息', target: { dialog: 'about' } },
  ]
  return [
    ...tabs.map(({ key, label }) => ({ key: `tab-${key}`, title: label, about: record?.title ?? '', target: { address: key === 'info' ? record_path : `${record_path}?tab=${key}` } })),
    ...(tabs.some(({ key }) => key === 'config') ? configFields.map(({ key, label }): Entry => ({ key: `config-${key}`, title: label, about: `${record?.title ?? ''} · 系统配置`, target: { address: `${record_path}?tab=config&field=${key}` }, only_typed: true })) : []),
    ...(tabs.some(({ key }) => key === 'nav') ? [{ key: 'tab-modules', title: '功能与应用', about: record?.title ?? '', target: { address: `${record_path}?tab=nav&view=modules` } }] : []),
    ...own.filter(({ key }) => key !== 'identity' || roleGroupsOf(identities).length > 1),
  ]
}
