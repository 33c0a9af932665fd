import { api, Day, filter, get, id, QueryFlag, SchoolId } from '@kit/contract'
import { z } from 'zod'

export const tree_kinds = ['student', 'staff'] as const
export const DeptId = id('people.dept')

/** A node of the department tree (product spec §3 Department). `dept_name` is the node's own name on the asked day. */
export const DeptNode = z.object({
  id: DeptId,
  parent_id: DeptId.nullable(),
  dept_name: z.string(),
  /** as the school prints departments (rule 10) */
  label: z.string(),
  pname: z.string().nullable(),
  is_grade: z.number().int(),
  pt_node_path_name: z.string(),
  dept_type: z.number().int(),
  user_or_dept: z.literal(1),
  has_child: z.boolean(),
  student_count: z.number().int(),
  staff_count: z.number().int(),
  /** how many pupils a class holds; null: as many as come */
  capacity: z.number().int().nullable(),
})
export type DeptNode = z.output<typeof DeptNode>
export type DeptTreeNode = DeptNode & { children: DeptTreeNode[] }
export const DeptTreeNode: z.ZodType<DeptTreeNode> = DeptNode.extend({ children: z.lazy(() => z.array(DeptTreeNode)) })

const TreeQuery = z.object({
  tree: z.enum(tree_kinds).default('student'),
  on: filter(Day),
  with_count: filter(QueryFlag),
  school_id: SchoolId.optional(),
})

export const deptApi = api('web', 'people.dept', {
  tree: get('dept/tree', { query: TreeQuery, reply: z.object({ list: z.array(DeptTreeNode) }), need: 'people.dept.view', within: 'dept', tagged: true }),
  lazyTree: get('dept/lazyTree', {
    query: TreeQuery.extend({ parent_id: filter(DeptId), keyword: filter(z.string().max(50)) }),
    reply: z.object({ list: z.array(DeptNode) }),
    need: 'people.dept.view',
    within: 'dept',
    tagged: true,
  }),
})
