import type { FormRule } from 'antd'

/** Numbers of a form in the words of the page; the limits are those of the department draft. */
export const classNoRule: FormRule = { type: 'number', min: 1, max: 99, message: '班号为1至99' }
export const enrolYearRule: FormRule = { type: 'number', min: 1970, max: 2100, message: '入学年份为1970至2100' }
