import { checkIdNo, field_rules, guardian_rules, idNotices, registry } from '@campus/people/contract'
import type { FileNotice, GuardianProp, IdFacts, RegistryProp } from '@campus/people/contract'
import { normalise, required_msg } from '@kit/contract'
import type { FieldKind } from '@kit/contract'
import { ruleOf, schoolToday } from '@kit/web'
import type { FormRule } from 'antd'

const demanded: readonly RegistryProp[] = ['user_name', 'sex', 'student_no']
const guardian_demanded: readonly GuardianProp[] = ['user_name', 'mobile', 'relation']
const bad_form = '格式不正确'
/** What to type where the form alone is wrong; a sheet says no more than that (chapter 10 §6). */
const how: Partial<Record<FieldKind, string>> = {
  date: '请填写年月日，如 20180512', month: '请填写年月，如 202509', roll_no: '应为 G、J 或 L 加18位数字', postcode: '应为6位数字', decimal: '请填写0到200的数字，最多两位小数',
}

/** Must the field be filled before a file is saved? */
export function isDemanded(prop: RegistryProp): boolean {
  return demanded.includes(prop)
}

/** Rules of one field, the same verdicts as the call and the import. `mask`: what stands there untouched, and is not looked at. */
export function rulesOf(prop: RegistryProp, mask: string | null | undefined): FormRule[] {
  const form = hinted(ruleOf(field_rules[prop]), registry[prop].kind)
  const checked = prop === 'birthday' ? [form, notLater()] : [form]
  return [...(isDemanded(prop) ? [{ required: true, whitespace: true, message: required_msg }] : []), ...checked.map(rule => unlessMask(rule, mask))]
}

/** Rules of one field of a guardian. */
export function guardianRules(prop: GuardianProp, mask: string | null | undefined): FormRule[] {
  if (!guardian_demanded.includes(prop)) return [unlessMask(ruleOf(guardian_rules[prop]), mask)]
  return [{ required: true, whitespace: true, message: required_msg }, unlessMask(ruleOf(guardian_rules[prop]), mask, '')]
}

/** An identity number is looked at with its document. `id_type` is read when the rule runs. */
export function idNoRule(id_type: () => string | null | undefined, mask: string | null | undefined): FormRule {
  return { validator: (_: unknown, value: unknown) => settle(typeof value === 'string' && value.trim() !== '' && value !== mask ? checkIdNo(normalise(registry.id_no, value), id_type() || '1', schoolToday()) : null) }
}

/** What the server will ask to be confirmed, said while typing: a warning, never a refusal. */
export function noticeRule(field: FileNotice['field'], facts: () => IdFacts): FormRule {
  return { warningOnly: true, validator: () => settle(idNotices(readFacts(facts())).find(notice => notice.field === field)?.msg ?? null) }
}

/** The facts as the server will read them. */
function readFacts({ sex, birthday, id_type, id_no }: IdFacts): IdFacts {
  return { sex, id_type, birthday: birthday ? normalise(registry.birthday, birthday) : birthday, id_no: id_no ? normalise(registry.id_no, id_no) : id_no }
}

function notLater(): FormRule {
  return { validator: (_: unknown, value: unknown) => settle(isLater(value) ? '出生日期不能晚于今天' : null) }
}

/** A day after today; what is no day has its own sentence. */
function isLater(value: unknown): boolean {
  const day = typeof value === 'string' ? normalise(registry.birthday, value) : ''
  return field_rules.birthday.safeParse(day).success && day > schoolToday()
}

/** The verdict of a rule with what to type instead. */
function hinted(rule: FormRule, kind: FieldKind): FormRule {
  const hint = how[kind]
  if (typeof rule === 'function' || !rule.validator || hint === undefined) return rule
  const { validator } = rule
  return {
    validator: async (about, value: unknown, callback) => {
      try {
        await validator(about, value, callback)
      } catch (cause) {
        throw cause instanceof Error && cause.message === bad_form ? new Error(`${bad_form}，${hint}`) : cause
      }
    },
  }
}

/** Nobody mistypes what he has not touched; half a mask is no value either. */
function unlessMask(rule: FormRule, mask: string | null | undefined, nothing?: string): FormRule {
  if (typeof rule === 'function' || !rule.validator) return rule
  const { validator } = rule
  return {
    validator: (about, value: unknown, callback) => {
      if (value === undefined || value === null || value === nothing || (mask && value === mask)) return Promise.resolve()
      if (mask && typeof value === 'string' && value.includes('**')) return Promise.reject(new Error('请填写完整内容'))
      return validator(about, value, callback)
    },
  }
}

function settle(msg: string | null): Promise<void> {
  return msg === null ? Promise.resolve() : Promise.reject(new Error(msg))
}
