import { api, get, put } from '@kit/contract'
import { z } from 'zod'
import { ParentRow, UserId } from './student.ts'
import { Plates } from './vehicle.ts'

/** What is known of one guardian; the mobile is masked, children are those the reader sees. */
export const ParentFile = ParentRow.extend({ work: z.string().nullable(), edu: z.string().nullable(), plates: z.array(z.string()) })
export type ParentFile = z.output<typeof ParentFile>

const ById = z.object({ id: UserId })
const within = 'student_dept'

/** GET userInfo/parent/{id} (chapter 20 §4 Lists), and his plates; names and numbers of guardians change in the files of their children. */
export const parentFileApi = api('web', 'people.parent', {
  detail: get('userInfo/parent/:id', { params: ById, reply: ParentFile, need: 'people.parent.view', within }),
  plates: put('userInfo/parent/:id', { params: ById, body: z.strictObject({ row_version: z.number().int(), plates: Plates }), reply: z.object({ row_version: z.number().int() }), need: 'people.parent.edit', within }),
})
