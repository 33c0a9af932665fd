import { default_rules, PasswordSetFields, samplePassword, weak_actions } from '@campus/identity/contract'
import type { PasswordSetRow } from '@campus/identity/contract'
import { instantText } from '@kit/web'
import { z } from 'zod'

/** What the form holds: the rule with its instant as the school's clock shows it, and the strong mode, which stands with the school's configuration. */
export type RuleValues = Omit<PasswordSetFields, 'notice_until'> & { notice_until: string; is_password_strong: number }

type Choice = { value: string | number; label: string }
/** One line of the form: what it is called, what it does, and how it is given. */
export type Line = { key: keyof RuleValues; label: string; effect: string | ((values: RuleValues) => string); input: { unit: string; min: number; max: number } | readonly Choice[] | 'prefix' | 'moment' | 'notice' }

const choicesOf = (names: Readonly<Record<string, string>>): Choice[] => Object.entries(names).map(([value, label]) => ({ value, label }))

/** Everything that may be set about passwords, in its groups. */
export const sections: readonly { title: string; lines: readonly Line[] }[] = [
  {
    title: '密码要求',
    lines: [
      { key: 'pwd_count', label: '密码最小长度', effect: '新密码的最少位数，须含大写字母、小写字母、数字、符号中的三种', input: { unit: '位', min: 8, max: 64 } },
      { key: 'is_password_strong', label: '强密码模式', effect: '开启后密码须同时含大写字母、小写字母和数字；不符合的账号下次登录时须先修改密码，不会打断正在使用的人', input: [{ value: 0, label: '关闭' }, { value: 1, label: '开启' }] },
      { key: 'valid_days', label: '有效期', effect: '满这么多天后，下次登录须修改密码；0表示长期有效，其他为30-365天', input: { unit: '天', min: 0, max: 365 } },
      { key: 'history_count', label: '历史密码', effect: '新密码不能与最近这么多次的密码相同；0表示不限制', input: { unit: '次', min: 0, max: 10 } },
    ],
  },
  {
    title: '初始密码',
    lines: [
      { key: 'default_rule', label: '默认密码规则', effect: values => `开通账号时的初始密码，首次登录须修改；示例：${samplePassword(values)}。管理员重置密码时一律随机生成`, input: choicesOf(default_rules) },
      { key: 'default_prefix', label: '前缀', effect: '2-8位，同时含大写和小写字母', input: 'prefix' },
    ],
  },
  {
    title: '登录安全',
    lines: [
      { key: 'weak_action', label: '弱口令处理', effect: '登录时发现密码过于简单、容易被猜到时的处理', input: choicesOf(weak_actions) },
      { key: 'lock_times', label: '锁定次数', effect: '15分钟内连续输错这么多次，账号锁定10分钟；24小时内再次锁定为30、60分钟', input: { unit: '次', min: 3, max: 10 } },
      { key: 'idle_minutes', label: '空闲时长', effect: '未操作超过该时长后退出登录；10-480分钟', input: { unit: '分钟', min: 10, max: 480 } },
    ],
  },
  {
    title: '密码安全通知',
    lines: [
      { key: 'notice_until', label: '通知截止', effect: '在此之前，每人每天进入系统时看到一次通知；超级管理员除外', input: 'moment' },
      { key: 'notice_text', label: '通知正文', effect: '留空时使用系统自带的说明，最多500字', input: 'notice' },
    ],
  },
]

const moment_shape = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/
const Moment = z.string({ error: '请选择日期和时间' }).regex(moment_shape, '请选择日期和时间')

/** The check of one line by itself; a number that was wiped out is no number. */
export function schemaOf(key: keyof RuleValues): z.ZodType {
  if (key === 'is_password_strong') return z.number()
  return key === 'notice_until' ? Moment : PasswordSetFields.shape[key]
}

/** The rule as the form shows it. */
export function valuesOf({ login_max: _login_max, row_version: _row_version, notice_until, ...rule }: PasswordSetRow): RuleValues {
  return { ...rule, notice_until: instantText(notice_until) }
}

/** The rule as it travels: the moment in the school's zone. */
export function ruleOfValues({ is_password_strong: _strong, notice_until, ...rule }: RuleValues): PasswordSetFields {
  return PasswordSetFields.parse({ ...rule, notice_until: `${notice_until.replace(' ', 'T')}:00+08:00` })
}

/** Whether a line counts under the values of the others: a random password has no prefix. */
export function isShown(key: keyof RuleValues, { default_rule }: Pick<RuleValues, 'default_rule'>): boolean {
  return key !== 'default_prefix' || default_rule !== 'random'
}

/** Lines whose value is another; an emptied box and nothing are the same. */
export function changedLines(before: RuleValues, typed: Partial<RuleValues>): (keyof RuleValues)[] {
  const plain = (value: unknown) => (value === '' || value === undefined ? null : value)
  const known: Readonly<Record<string, unknown>> = before
  const given: Readonly<Record<string, unknown>> = typed
  return sections.flatMap(({ lines }) => lines.flatMap(({ key }) => (key in given && plain(given[key]) !== plain(known[key]) ? [key] : [])))
}
