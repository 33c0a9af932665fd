import { deptApi, tagApi, TagRule } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call, useCan, useDictionary } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Form, Select, TreeSelect } from 'antd'
import type { FormInstance } from 'antd'
import { useDeferredValue } from 'react'
import type { ReactNode } from 'react'
import { missing_options } from './tag-words.ts'

export type RuleValues = { [name in keyof TagRule]?: TagRule[name] | null }

/** The conditions that were chosen; null when there is none. */
export function ruleIn(values: RuleValues | undefined): TagRule | null {
  const chosen = Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== ''))
  const rule = TagRule.safeParse(chosen)
  return rule.success ? rule.data : null
}

/** The conditions of a rule, all of which must hold, with how many pupils they find today. */
export function RuleFields({ form, wrong }: { form: FormInstance; wrong: boolean }): ReactNode {
  const depts = useDepts()
  const [grades, sexes, methods, states] = [useDictionary('GRADE'), useDictionary('SEX'), useDictionary('STUDY_METHOD'), useDictionary('STUDENT_STATE')]
  const rule = ruleIn(Form.useWatch('rule', form))
  return (
    <fieldset className="tag-rule">
      <legend>条件（须全部满足）</legend>
      <Form.Item name={['rule', 'dept_id']} label="班级或部门"><TreeSelect allowClear showSearch={{ treeNodeFilterProp: 'title' }} placeholder="不限" treeData={depts} /></Form.Item>
      <Form.Item name={['rule', 'grade']} label="年级" tooltip="每年升级后，按新的年级匹配"><Select allowClear placeholder="不限" options={grades} /></Form.Item>
      <Form.Item name={['rule', 'sex']} label="性别"><Select allowClear placeholder="不限" options={sexes} /></Form.Item>
      <Form.Item name={['rule', 'study_method']} label="就读方式"><Select allowClear placeholder="不限" options={methods} /></Form.Item>
      <Form.Item name={['rule', 'state']} label="学籍状态"><Select allowClear placeholder="在读" options={states.filter(({ value }) => on_roll.has(value))} /></Form.Item>
      <Form.Item name={['rule', 'missing']} label="缺失项"><Select allowClear placeholder="不限" options={missing_options} /></Form.Item>
      <p className="tag-found" role="status" data-wrong={wrong && rule === null}>{useFound(rule, wrong)}</p>
    </fieldset>
  )
}

const on_roll: ReadonlySet<string> = new Set(['01', '02', '04', '12'])

function useFound(rule: TagRule | null, wrong: boolean): string {
  const asked = useDeferredValue(JSON.stringify(rule))
  const { data, isError } = useQuery({
    queryKey: [tagApi.preview.call, asked],
    queryFn: ({ signal }) => call(tagApi.preview, { rule: TagRule.parse(JSON.parse(asked)) }, { signal, quiet: true }),
    enabled: asked !== 'null',
  })
  if (rule === null) return wrong ? '请至少选择一个条件' : '选择条件后，这里显示符合的人数'
  if (isError) return '人数统计失败，不影响保存'
  return data ? `今天有 ${data.count.toLocaleString('en-US')} 名学生符合` : '正在统计…'
}

type Choice = { value: string; title: string; children: Choice[] }

function useDepts(): Choice[] {
  const allowed = useCan(deptApi.tree)
  const { data = [] } = useQuery({ queryKey: ['dept-tree', 'student', ''], queryFn: async () => (await call(deptApi.tree, { tree: 'student', with_count: '1' }, { quiet: true })).list, enabled: allowed })
  return data.map(choiceOf)
}

function choiceOf(node: DeptTreeNode): Choice {
  return { value: node.id, title: node.label, children: node.children.map(choiceOf) }
}
