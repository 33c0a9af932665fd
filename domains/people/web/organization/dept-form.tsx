import { DeptDraft } from '@campus/people/contract'
import type { DeptFile, DeptTreeNode } from '@campus/people/contract'
import { ruleOf, useDictionary } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Form, Input, InputNumber, Select } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type { Division } from './board.ts'
import { className } from './class-names.ts'
import { DayItem } from './day-item.tsx'
import { classWord, dept_types, enrolYearOf, everyNode, gradeName, isRoot, isStaffType, nodeOf, schoolYearOf, standsUnder } from './dept-place.ts'
import type { DeptValues } from './dept-values.ts'
import { classNoRule, enrolYearRule } from './form-check.ts'
import { PeoplePicker, PersonPicker } from '../picker/person-picker.tsx'
import { RemarkItems } from '../remark/remark-items.tsx'

/** Names the form, so that its fields have ids of their own. */
const form_name = 'dept'

type Props = {
  form: FormInstance<DeptValues>
  dept_type: number
  before: DeptValues
  file: DeptFile | undefined
  tree: readonly DeptTreeNode[]
  board: readonly Division[]
  today: string
}

const head_words: Readonly<Record<number, string>> = { [dept_types.division]: '负责人', [dept_types.grade]: '年级组长', [dept_types.class]: '班主任' }
/** A name that a number makes, or none yet. */
const is_made = /(^|\D)(\d{1,2}班)?$/
const none: Readonly<Record<string, string>> = {}
const needed = (message: string) => [{ required: true, message }]

/** The facts of a department. What a cohort is (stage, grade, year, number) is said once, when it is made. */
export function DeptForm({ form, dept_type, before, file, tree, board, today }: Props): ReactNode {
  const class_types = useDictionary('CLASS_TYPE')
  const is_class = dept_type === dept_types.class
  const is_new = file === undefined
  const parents = parentOptions(tree, dept_type, file?.id)
  return (
    <Form form={form} name={form_name} layout="vertical" initialValues={before} className="org-form" onValuesChange={changed => propose(form, changed, board, today)}>
      {parents.length > 0 && (
        <Form.Item name="parent_id" label="上级部门" rules={needed('请选择上级部门')}>
          <Select options={parents} showSearch={{ optionFilterProp: 'label' }} />
        </Form.Item>
      )}
      <CohortItems dept_type={dept_type} is_new={is_new} />
      <Form.Item name="dept_name" label="名称" rules={[ruleOf(DeptDraft.shape.dept_name)]} required>
        <Input autoComplete="off" />
      </Form.Item>
      {is_class && (
        <Form.Item name="class_type" label="班级类型">
          <Select allowClear options={class_types} showSearch={{ optionFilterProp: 'label' }} />
        </Form.Item>
      )}
      {is_class && (
        <Form.Item name="capacity" label="人数上限" rules={[ruleOf(DeptDraft.shape.capacity)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} placeholder="不限" />
        </Form.Item>
      )}
      <Form.Item name="code" label="编码" rules={[{ max: 50, message: '超过50个字' }]}>
        <Input autoComplete="off" placeholder="与外部系统对接时使用（选填）" />
      </Form.Item>
      <Form.Item name="head_user_id" label={head_words[dept_type] ?? '负责人'}>
        <PersonPicker of={['teacher']} known={file?.head ? [file.head] : []} />
      </Form.Item>
      {(is_class || isStaffType(dept_type)) && (
        <Form.Item name="vice_user_ids" label={is_class ? '副班主任' : '副负责人'}>
          <PeoplePicker of={['teacher']} max={5} known={file?.vices ?? []} />
        </Form.Item>
      )}
      <RemarkItems dept_type={dept_type} known={file?.remarks ?? none} />
      <DayItem hint={is_new ? '从这一天起出现在组织架构中' : '从这一天起按新内容显示；此前的名册和历史仍用原来的名称'} />
    </Form>
  )
}

/** Stage, grade, year of entry, number: only while the department is new; later they are shown. */
function CohortItems({ dept_type, is_new }: { dept_type: number; is_new: boolean }): ReactNode {
  const stages = useDictionary('STAGE')
  const grades = useDictionary('GRADE')
  const disabled = !is_new
  if (dept_type === dept_types.division) {
    return (
      <Form.Item name="stage" label="学段" rules={is_new ? needed('请选择学段') : []}>
        <Select options={stages} disabled={disabled} />
      </Form.Item>
    )
  }
  if (dept_type === dept_types.class) {
    return (
      <Form.Item name="class_no" label="班号" rules={[classNoRule]}>
        <InputNumber className="kit-fill" precision={0} parser={readNumber} disabled={disabled} />
      </Form.Item>
    )
  }
  if (dept_type !== dept_types.grade) return null
  return (
    <>
      <Form.Item name="grade" label="年级" rules={is_new ? needed('请选择年级') : []}>
        <Select options={grades} disabled={disabled} showSearch={{ optionFilterProp: 'label' }} />
      </Form.Item>
      <Form.Item name="enrol_year" label="入学年份（届别）" rules={is_new ? [...needed('请填写入学年份'), enrolYearRule] : []}>
        <InputNumber className="kit-fill" precision={0} parser={readNumber} disabled={disabled} suffix="级" />
      </Form.Item>
    </>
  )
}

/** Where a department of this kind may stand; not in itself. */
function parentOptions(tree: readonly DeptTreeNode[], dept_type: number, id: string | undefined): { value: string; label: string }[] {
  const own = id === undefined ? undefined : nodeOf(tree, id)
  return everyNode(tree)
    .filter(node => standsUnder(dept_type, node.dept_type) && !(own && nodeOf([own], node.id)))
    .map(node => ({ value: node.id, label: isRoot(node) ? `${node.dept_name}（学校）` : node.pt_node_path_name.split('/').slice(1).join(' / ') }))
}

/** While the name is the one that grade or number make, it follows them; the year follows the grade. */
function propose(form: FormInstance<DeptValues>, changed: Partial<DeptValues>, board: readonly Division[], today: string): void {
  if (changed.grade) {
    form.setFieldsValue({ dept_name: gradeName(changed.grade), enrol_year: enrolYearOf(changed.grade, schoolYearOf(today)), stage: changed.grade.slice(0, 1) })
  }
  if (changed.class_no || changed.parent_id) {
    const { parent_id, dept_name, class_no } = form.getFieldsValue(true)
    const grade = board.flatMap(division => division.grades).find(one => one.id === parent_id)
    if (grade && class_no && is_made.test(dept_name)) form.setFieldValue('dept_name', className(classWord(grade), class_no))
  }
}
