import type { CustomField, CustomType, fieldApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'

/** One line of the settings as it is sent. */
export type FieldInput = Request<typeof fieldApi.save>['list'][number]

export const type_names: Readonly<Record<CustomType, string>> = { text: '文本', number: '数字', date: '日期', dict: '单选', multi: '多选', mobile: '手机号', id_card: '身份证号' }
export const level_names: Readonly<Record<number, string>> = { 1: '公开', 2: '内部', 3: '敏感（打码显示，查看需填写原因）' }

/** A field as it stands, to be sent back. */
export function lineOf(field: CustomField): FieldInput {
  const { order_no: _, used: __, ...line } = field
  return line
}
