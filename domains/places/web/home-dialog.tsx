import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { placeApi } from '@campus/places/contract'
import type { Place } from '@campus/places/contract'
import { AppModal, call, schoolToday, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Select } from 'antd'
import type { ReactNode } from 'react'
import { usePlacesChanged } from './use-places.ts'

const class_type = 4
type Values = { dept_id: string | null }

/** The class whose room this is, from today on; the class leaves the room it had. */
export function HomeDialog({ place, onClose }: { place: Place; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'places.placeHomeTaken': 'dept_id' })
  const changed = usePlacesChanged()
  const classes = useQuery({ queryKey: [deptApi.tree.call, 'places'], queryFn: async ({ signal }) => classesIn((await call(deptApi.tree, { tree: 'student' }, { signal })).list) })
  const save = async () => {
    const { dept_id = null } = form.getFieldsValue()
    if (!(await run(() => call(placeApi.home, { id: place.place_id, dept_id, from: schoolToday() }, { quiet: true }), '设置成功'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={480} title={`${place.place_name}的班级`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="home" layout="vertical" initialValues={{ dept_id: place.dept_id }}>
        <Form.Item name="dept_id" label="班级" extra="自今天起生效；班级原来的教室随之空出，历史仍可在“使用记录”中查看。">
          <Select allowClear loading={classes.isFetching} showSearch={{ optionFilterProp: 'label' }} placeholder="不绑定班级" options={classes.data ?? []} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

function classesIn(nodes: readonly DeptTreeNode[]): { value: string; label: string }[] {
  return nodes.flatMap(node => [...(node.dept_type === class_type ? [{ value: node.id, label: node.dept_name }] : []), ...classesIn(node.children)])
}
