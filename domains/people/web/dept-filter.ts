import type { FilterControl } from '@kit/web'

/** The department chosen in the tree, so that the list says what it is filtered by; the tree itself is the control. */
export function deptFilter(nameOf: (dept_id: string) => string | undefined): FilterControl {
  return {
    names: ['dept_id'],
    text: (values) => (values.dept_id ? (nameOf(values.dept_id) ?? '所选部门') : undefined),
    Input: () => null,
  }
}
