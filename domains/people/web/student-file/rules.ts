import { checkIdNo, field_rules, guardian_rules, idNotices, registry } from '@campus/people/contract'
import type { FileNotice, GuardianProp, IdFacts, RegistryProp } from '@campus/people/contract'
import { normalise, required_msg } from '@kit/contract'
import { ruleOf, schoolToday } from '@kit/web'
import type { FormRule } from 'antd'

const demanded: readonly RegistryProp[] = ['user_name', 'sex', 'student_no']
const guardian_demanded: readonly GuardianProp[] = ['user_name', 'mobile', 'relation']
const bad_form = '格式不正确'

/** Must the field be filled before a file is saved? */
export function isDemanded(prop: RegistryProp): boolean {
  return demanded.includes(prop)
}

/** Rules of one field, the same verdicts as the call and the import. `mask`: what stands there untouched, and is not looked at. */
export function rulesOf(prop: RegistryProp, mask: string | null | undefined): FormRule[] {
  const checked = prop === 'birthday' ? [ruleOf(field_rules[prop]), notLater()] : [ruleOf(field_rules[prop])]
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
  return { validator: (_: unknown, value: unknown) => settle(isLater(value) ? bad_form : null) }
}

/** A day after today; what is no day has its own sentence. */
function isLater(value: unknown): boolean {
  const day = typeof value === 'string' ? normalise(registry.birthday, value) : ''
  return field_rules.birthday.safeParse(day).success && day > schoolToday()
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
