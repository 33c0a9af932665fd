import { CallError, showFieldErrors } from '@kit/web'
import type { FormInstance, FormRule } from 'antd'
import { sentenceOf } from './use-organization.ts'

/** Numbers of a form in the words of the page; the limits are those of the department draft. */
export const classNoRule: FormRule = { type: 'number', min: 1, max: 99, message: '班号为1至99' }
export const enrolYearRule: FormRule = { type: 'number', min: 1970, max: 2100, message: '入学年份为1970至2100' }

/** Whether a form may be sent; when it may not, the first wrong field has the focus. */
export async function mayBeSent(form: FormInstance): Promise<boolean> {
  const is_right = await form.validateFields().then(() => true, () => false)
  if (!is_right) goToFirstWrong(form)
  return is_right
}

/**
 * Puts a refusal beside the fields it is about and goes there; what belongs to no field is answered, for the head of the form.
 * @param homes which field of the form a refusal is about, by its error id
 */
export function tellRefusal(form: FormInstance, cause: unknown, homes: Readonly<Record<string, string>> = {}): string | null {
  const sentence = sentenceOf(cause)
  const home = cause instanceof CallError ? homes[cause.error_id ?? ''] : undefined
  if (home) form.setFields([{ name: home, errors: [sentence] }])
  showFieldErrors(form, cause)
  return goToFirstWrong(form) ? null : sentence
}

/** The focus goes to the first field with an error; false when there is none. */
function goToFirstWrong(form: FormInstance): boolean {
  const first = form.getFieldsError().find(({ errors }) => errors.length > 0)
  if (first) form.scrollToField(first.name, { block: 'nearest', focus: true })
  return first !== undefined
}
