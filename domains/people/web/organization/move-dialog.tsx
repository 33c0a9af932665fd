import { deptEditApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { AppModal, call, CallError, schoolToday, toast } from '@kit/web'
import { Alert, Button, Form, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DayItem } from './day-item.tsx'
import { isRoot } from './dept-place.ts'
import { tellRefusal, validated } from '../refused.ts'
import { parentsFor } from './tree-rows.ts'
import { useDeptFile } from './use-dept-file.ts'
import { ownSchool, useRefresh } from './use-organization.ts'

type Values = { parent_id?: string; effective_on: string }

const stale_id = 'people.staleRow'
/** Refusals that belong to one field. */
const homes = {
  'people.deptNameTaken': 'parent_id',
  'people.deptParentType': 'parent_id',
  'people.deptPlace': 'parent_id',
  'people.deptLoop': 'parent_id',
  'people.deptNotOpen': 'effective_on',
  'people.deptFutureChange': 'effective_on',
  'people.backdateTooFar': 'effective_on',
  'people.futureTooFar': 'effective_on',
}

/** 移动到…: the keyboard's way of dragging to another parent, with the day from which it holds. */
export function MoveDialog({ node, tree, onClose }: { node: DeptTreeNode; tree: readonly DeptTreeNode[]; onClose: () => void }): ReactNode {
  const refresh = useRefresh()
  const [form] = Form.useForm<Values>()
  const { file, failed, refresh: readAgain } = useDeptFile(node.id)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const is_reading = !file && failed === null
  const options = parentsFor(tree, node.id).map(parent => ({ value: parent.id, label: isRoot(parent) ? `${parent.dept_name}（学校）` : parent.pt_node_path_name.split('/').slice(1).join(' / ') }))
  const save = async () => {
    if (!file || !(await validated(form))) return
    setBusy(true)
    setRefused(null)
    try {
      await call(deptEditApi.update, { school_id: ownSchool(), id: node.id, row_version: file.row_version, ...form.getFieldsValue() }, { quiet: true })
      await refresh()
      toast.success(`已移动${node.dept_name}`)
      onClose()
    } catch (cause) {
      setRefused(isStale(cause) ? '该部门刚被他人修改，请核对后再次移动' : tellRefusal(form, cause, homes))
      readAgain()
    } finally {
      setBusy(false)
    }
  }
  return (
    <AppModal open width={480} title={`移动：${node.dept_name}`} okText="移动" okButtonProps={{ disabled: failed !== null, loading: busy || is_reading }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert className="org-refused" type="warning" showIcon title={refused} />}
      {failed !== null && <Alert className="org-refused" type="error" showIcon title={failed} action={<Button onClick={readAgain}>重试</Button>} />}
      <Form form={form} name="move" layout="vertical" initialValues={{ effective_on: schoolToday() }}>
        <Form.Item name="parent_id" label="新的上级" rules={[{ required: true, message: '请选择新的上级' }]}>
          <Select options={options} showSearch={{ optionFilterProp: 'label' }} />
        </Form.Item>
        <DayItem hint="从这一天起在新的上级下；此前的名册和历史不变" />
      </Form>
    </AppModal>
  )
}

function isStale(cause: unknown): boolean {
  return cause instanceof CallError && cause.error_id === stale_id
}
