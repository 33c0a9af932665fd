import { DeptDraft, deptEditApi } from '@campus/people/contract'
import type { BoardGrade } from '@campus/people/contract'
import { AppModal, call, leaving, ruleOf, schoolToday, toast, useDictionary } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Form, InputNumber, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { classNames, nextClassNo } from './class-names.ts'
import { DayItem } from './day-item.tsx'
import { classWord } from './dept-place.ts'
import { tellRefusal, validated } from '../refused.ts'
import { classNoRule } from './form-check.ts'
import { NamePreview } from './name-preview.tsx'
import { useRefresh } from './use-organization.ts'

type Values = { from_no?: number; to_no?: number; class_type?: string; capacity?: number; effective_on: string }

const most_class_no = 99
const usual_count = 6
/** Refusals that belong to one field. */
const homes = { 'people.deptNameTaken': 'from_no', 'people.deptNotOpen': 'effective_on', 'people.backdateTooFar': 'effective_on', 'people.futureTooFar': 'effective_on' }

/** 批量新增: numbered classes of one grade, their names shown before they are made. */
export function BatchDialog({ grade, onClose }: { grade: BoardGrade; onClose: () => void }): ReactNode {
  const refresh = useRefresh()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const first = nextClassNo(grade.classes)
  const before: Values = { from_no: first, to_no: Math.min(most_class_no, grade.classes.length === 0 ? usual_count : first), capacity: grade.classes.at(-1)?.capacity ?? undefined, effective_on: schoolToday() }
  const from_no = Form.useWatch('from_no', form) ?? before.from_no ?? 0
  const to_no = Form.useWatch('to_no', form) ?? before.to_no ?? 0
  const names = classNames(classWord(grade), from_no, to_no, grade.classes.map(one => one.dept_name))
  const is_possible = names.length > 0 && names.every(name => !name.taken)
  const save = async () => {
    if (!is_possible || !(await validated(form))) return
    const { class_type, capacity, effective_on } = form.getFieldsValue()
    setBusy(true)
    setRefused(null)
    try {
      const { list } = await call(deptEditApi.batchAdd, { parent_id: grade.id, from_no, to_no, class_type, capacity, effective_on }, { quiet: true })
      await refresh()
      toast.success(`已新增 ${list.length} 个班级`)
      onClose()
    } catch (cause) {
      setRefused(tellRefusal(form, cause, homes))
    } finally {
      setBusy(false)
    }
  }
  return (
    <AppModal open width={640} title={`批量新增班级：${grade.dept_name}`} okText={names.length > 0 ? `新增 ${names.length} 个班级` : '新增'} okButtonProps={{ disabled: !is_possible }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert className="org-refused" type="warning" showIcon title={refused} />}
      <Form form={form} name="batch" layout="vertical" className="org-form" initialValues={before}>
        <BatchItems />
      </Form>
      <NamePreview names={names} none="结束班号不能小于起始班号，班号为1至99" />
    </AppModal>
  )
}

function BatchItems(): ReactNode {
  const class_types = useDictionary('CLASS_TYPE')
  const number = [{ required: true, message: '请填写班号' }, classNoRule]
  return (
    <>
      <Form.Item name="from_no" label="起始班号" rules={number}>
        <InputNumber className="kit-fill" precision={0} parser={readNumber} />
      </Form.Item>
      <Form.Item name="to_no" label="结束班号" rules={number}>
        <InputNumber className="kit-fill" precision={0} parser={readNumber} />
      </Form.Item>
      <Form.Item name="class_type" label="班级类型">
        <Select allowClear options={class_types} showSearch={{ optionFilterProp: 'label' }} />
      </Form.Item>
      <Form.Item name="capacity" label="人数上限" rules={[ruleOf(DeptDraft.shape.capacity)]}>
        <InputNumber className="kit-fill" precision={0} parser={readNumber} placeholder="不限" />
      </Form.Item>
      <DayItem hint="从这一天起出现在组织架构中" />
    </>
  )
}
