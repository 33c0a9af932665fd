import type { CustomField } from '@campus/people/contract'

const no_group = '其他信息'

/** Custom fields by their groups, groups and fields in the school's order. */
export function customGroups<F extends Pick<CustomField, 'group_name'>>(fields: readonly F[]): { title: string; fields: F[] }[] {
  return [...Map.groupBy(fields, field => field.group_name || no_group)].map(([title, of]) => ({ title, fields: of }))
}
