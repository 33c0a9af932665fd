import { filter, id } from '@kit/contract'
import { z } from 'zod'

export const RemarkFieldId = id('people.dept_remark_field')
/** Longest value of a remark. */
export const most_remark_signs = 30

/** What a department says of the remark fields, by field; null empties. */
export const RemarkValues = z.record(z.string().regex(/^[0-9]{1,19}$/), z.string().max(most_remark_signs).nullable())
export type RemarkValues = z.output<typeof RemarkValues>

/** Of pupils: those whose class has this value of a remark field; with a field alone those whose class has none. */
export const remark_filters = { remark_field: filter(RemarkFieldId), remark_value: filter(z.string().max(most_remark_signs)) }
