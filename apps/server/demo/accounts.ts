import { provider_shapes } from '@campus/identity/contract'
import { mayTest } from '@campus/identity/server'
import type { Config } from '@kit/server/config'
import { storedPassword } from './demo-password.ts'

export const demo_schools = { main: 900001, enterprise: 900002, second: 900003, suspended: 900004 } as const

/** A demo account. `address` = school the login page must name, absent = the root page. */
export type DemoAccount = { account: string; note: string; address?: number; pwd_state?: 1 | 2; pwd_age_days?: number; vuln_reason?: string }

/** Days after which a password of the demo schools must be changed. */
export const valid_days = 365

/** All accounts that can be tried, in the order in which they are shown; nobody else of the demo data has a password. */
export const demo_accounts = [
  { account: 'super', note: '超级管理员，可进入任一学校' },
  { account: 'admin01', note: '启明实验学校校管理员，单一身份直接进入' },
  { account: 'duo01', note: '多身份：年级主任、班主任，另在新校任课' },
  { account: 'xinxiao01', note: '新校管理员，花名册为空，可导入样例表' },
  { account: 'yuangong01', note: '企业账号，从 /900002 登录', address: demo_schools.enterprise },
  { account: 'jiazhang01', note: '家长身份：此账号无登录权限' },
  { account: 'xuesheng01', note: '学生身份：此账号无登录权限' },
  { account: 'kuaidi01', note: '快递员身份：此账号无登录权限' },
  { account: 'shouji01', note: '角色限手机端：请使用手机端登录' },
  { account: 'moren01', note: '默认密码，须先修改（6005）', pwd_state: 2 },
  { account: 'guoqi01', note: '密码已过期，须先修改（6006）', pwd_age_days: valid_days + 35 },
  { account: 'loudong01', note: '账号存在漏洞，禁止登录（6007）', vuln_reason: '弱密码扫描命中' },
  { account: 'kongcai01', note: '角色未配置任何功能模块' },
  { account: 'shenji01', note: '审计员，只能查看日志' },
] as const satisfies readonly DemoAccount[]

/** Login providers of the main school that can be tried without any outside system (chapter 10 §8). */
export function demoProviders(config: Config): { label: string; start_url: string }[] {
  if (!mayTest({ config })) return []
  return provider_shapes.map(shape => ({ label: `方式${shape}`, start_url: `/web/auth/provider/start?${new URLSearchParams({ school_id: String(demo_schools.main), shape, adapter: 'test' })}` }))
}

export type DemoAccountName = (typeof demo_accounts)[number]['account']

/**
 * The accounts of the login page's demo strip. The password comes along in development only, and only where nobody but this
 * machine can open the page.
 */
export function demoStrip(config?: Config): { account: string; note: string; password?: string }[] {
  const password = config?.CAMPUS_ENV === 'dev' && config.host_is_loopback ? storedPassword(config) : null
  return demo_accounts.map(({ account, note }) => ({ account, note, ...(password === null ? {} : { password }) }))
}
