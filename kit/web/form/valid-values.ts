import type { FormInstance } from 'antd'
import type { NamePath } from 'antd/es/form/interface'
import { isUnfilled } from './use-saving.ts'

/**
 * What somebody has filled in; null when a field refuses it, which then says why and is scrolled into sight: a long dialog shows its buttons, not its first field.
 * @param names only these fields; absent: all
 */
export async function validValues<Values>(form: FormInstance<Values>, names?: NamePath[]): Promise<Values | null> {
  try {
    return await (names === undefined ? form.validateFields() : form.validateFields(names))
  } catch (cause) {
    if (!isUnfilled(cause)) throw cause
    const [first] = form.getFieldsError().filter(field => field.errors.length > 0)
    if (first) form.scrollToField(first.name, { focus: true, block: 'center' })
    return null
  }
}
