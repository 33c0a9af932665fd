import { api, download, filter, get } from '@kit/contract'
import { z } from 'zod'
import { DeptId, DeptNode, tree_kinds } from './dept.ts'
import { UserId } from './student.ts'

/** People of one level at most; who is not among them is found by a keyword. */
export const most_tree_people = 300

/** A person in the tree of departments, in the shape of a node (product spec §3 Department). */
export const TreePerson = DeptNode.pick({ pname: true, is_grade: true, pt_node_path_name: true, dept_type: true, student_count: true, staff_count: true }).extend({
  id: UserId,
  parent_id: DeptId.nullable(),
  /** the person's name */
  dept_name: z.string(),
  user_no: z.string(),
  user_or_dept: z.literal(2),
  has_child: z.literal(false),
})
export type TreePerson = z.output<typeof TreePerson>

const LevelQuery = z.object({ tree: z.enum(tree_kinds).default('student'), parent_id: filter(DeptId), keyword: filter(z.string().max(50)) })

/** The tree with the people at work or in class today in it, a level at a time, and the sheet new pupils are entered with (chapter 20 §4). */
export const peopleTreeApi = api('web', 'people.people_tree', {
  level: get('dept/treeWithUser', { query: LevelQuery, reply: z.object({ list: z.array(z.discriminatedUnion('user_or_dept', [DeptNode, TreePerson])) }), need: 'people.picker.use', within: 'dept' }),
})

/** The import sheet of pupils with the school's own fields. */
export const studentTemplateApi = api('v2', 'people.template', {
  student: get('get/student-template', { reply: download, session: true, within: 'self', op: 7 }),
})
