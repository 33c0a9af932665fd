import type { CustomField, CustomType, fieldApi, FieldFacet } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { staffWord } from '../staff/words.ts'

/** One line of the settings as it is sent. */
export type FieldInput = Request<typeof fieldApi.save>['list'][number]

export const type_names: Readonly<Record<CustomType, string>> = { text: '文本', number: '数字', date: '日期', dict: '单选', multi: '多选', mobile: '手机号', id_card: '身份证号', file: '附件' }
export const level_names: Readonly<Record<number, string>> = { 1: '公开', 2: '内部', 3: '敏感（打码显示，查看需填写原因）' }

/** Whose files: 学生, 教职工, in enterprises 员工. */
export function facetName(facet: FieldFacet): string {
  return facet === 'student' ? '学生' : staffWord()
}

/** A field as it stands, to be sent back. */
export function lineOf(field: CustomField): FieldInput {
  const { order_no: _, used: __, may_edit: ___, ...line } = field
  return line.dict_code === null ? line : { ...line, options: null }
}
