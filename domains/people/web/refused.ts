import { CallError, sentenceOf as toldOf, showFieldErrors } from '@kit/web'
import type { FormInstance } from 'antd'

/** The sentence of a refusal; a broken network says that nothing is lost. */
export function sentenceOf(cause: unknown): string {
  if (!(cause instanceof CallError)) throw cause
  return cause.msg || '网络异常，内容已保留，请稍后重试'
}

/** The values of a form when they all pass; else null, and the first wrong field has the focus. */
export async function validated<T>(form: FormInstance<T>): Promise<T | null> {
  try {
    return await form.validateFields()
  } catch {
    toErrors(form)
    return null
  }
}

/** The first field that has a sentence beside it comes into view and takes the focus; false when there is none. */
export function toErrors<T>(form: FormInstance<T>): boolean {
  const [first] = form.getFieldsError().filter(({ errors }) => errors.length > 0)
  if (first) form.scrollToField(first.name, { block: 'center', focus: true })
  return first !== undefined
}

/**
 * Puts a refusal beside the fields it is about and goes there; what belongs to no field is answered, for the head of the form.
 * @param homes which field of the form a refusal is about, by its error id
 */
export function tellRefusal(form: FormInstance, cause: unknown, homes: Readonly<Record<string, string>> = {}): string | null {
  const sentence = toldOf(cause)
  const home = cause instanceof CallError ? homes[cause.error_id ?? ''] : undefined
  if (home) form.setFields([{ name: home, errors: [sentence] }])
  showFieldErrors(form, cause)
  return toErrors(form) ? null : sentence
}
