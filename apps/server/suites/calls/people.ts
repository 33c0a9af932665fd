import { deptApi, parentApi, studentApi } from '@campus/people/contract'
import { buildersOf } from '../world.ts'
import type { Builder } from '../world.ts'

export const peopleCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(deptApi, {
    tree: world => ({ input: { school_id: world.school_id } }),
    lazyTree: world => ({ input: { school_id: world.school_id, parent_id: world.ids.dept } }),
  }),
  ...buildersOf(studentApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }) }),
  ...buildersOf(parentApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }) }),
])
