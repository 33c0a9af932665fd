import { collectTaskApi, field_scenes } from '@campus/people/contract'
import type { CollectTaskRow } from '@campus/people/contract'
import { AppDrawer, call, leaving, toast, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker, Form, Input, Radio, Select, Space } from 'antd'
import type { ReactNode } from 'react'
import { DeptsPicker } from '../book/depts-picker.tsx'
import { useAskable, useCollectChanged } from './use-collect.ts'

type Values = { title: string; field_scene: number; dept_ids: string[]; field_codes: string[]; close_at: dayjs.Dayjs | null; review_mode: 'auto' | 'review' }
/** People chosen in a list, who are asked instead of whole departments, and for what if that is known. */
type NamedPeople = { field_scene: number; user_ids: readonly string[]; field_codes?: readonly string[] }
type Props = { task?: CollectTaskRow; named?: NamedPeople; onClose: () => void }

const zone_ms = 8 * 3_600_000
const pupils = field_scenes.student
const usual: Readonly<Record<number, string[]>> = { [pupils]: ['address', 'tel', 'hukou', 'study_method', 'commute'], [field_scenes.staff]: ['mobile', 'email', 'edu', 'title'] }
const scenes = [{ value: pupils, label: '学生（家长填写）' }, { value: field_scenes.staff, label: '教职工（本人填写）' }]
const missing = (what: string) => [{ required: true, message: `请选择${what}` }]
const homes = { 'people.collectEnd': 'close_at', 'people.collectField': 'field_codes' }
const quiet = { quiet: true }

/** A task before it begins: whom it asks, which fields, until when. It is kept, or begins at once. */
export function TaskEditor({ task, named, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useCollectChanged()
  const user_ids = task?.audience.user_ids ?? [...(named?.user_ids ?? [])]
  const keep = async ({ title, field_scene, dept_ids = [], field_codes, close_at, review_mode }: Values): Promise<string> => {
    const draft = { title, field_codes, audience: { dept_ids, user_ids }, close_at: `${close_at?.format('YYYY-MM-DDTHH:mm') ?? ''}:00+08:00`, review_mode }
    if (!task) return (await call(collectTaskApi.add, { ...draft, field_scene }, quiet)).id
    await call(collectTaskApi.update, { ...draft, id: task.id, row_version: task.row_version }, quiet)
    return task.id
  }
  const save = async (begin: boolean) => {
    const values = await validValues(form)
    if (!values) return
    const saved = await run(async () => {
      const id = await keep(values)
      toast.success(begin ? `已开始，共 ${(await call(collectTaskApi.open, { id }, quiet)).asked} 人` : '已保存')
    })
    if (!saved) return
    changed()
    onClose()
  }
  return (
    <AppDrawer size={520} title={task ? '编辑采集任务' : '新建采集任务'} onClose={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="collect_task" layout="vertical" initialValues={valuesOf(task, named)}>
        <Form.Item name="title" label="标题" rules={[{ required: true, whitespace: true, message: '请填写标题' }]}><Input maxLength={40} showCount /></Form.Item>
        <Form.Item name="field_scene" label="对象" hidden={named !== undefined}>
          <Radio.Group options={scenes} disabled={task !== undefined} onChange={({ target }) => form.setFieldsValue({ dept_ids: [], field_codes: usual[Number(target.value)] ?? [] })} />
        </Form.Item>
        {user_ids.length > 0 && <p>已选择的 {user_ids.length} 人</p>}
        <Form.Item noStyle dependencies={['field_scene']}>{() => <SceneFields scene={Number(form.getFieldValue('field_scene'))} has_named={user_ids.length > 0} />}</Form.Item>
        <Form.Item name="close_at" label="截止时间" rules={missing('截止时间')}><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
        <Form.Item name="review_mode" label="提交后"><Radio.Group options={[{ value: 'review', label: '学校逐项审核后更新档案' }, { value: 'auto', label: '直接更新档案' }]} /></Form.Item>
        <Space>
          <Button type="primary" loading={busy} onClick={() => void save(true)}>保存并开始采集</Button>
          <Button disabled={busy} onClick={() => void save(false)}>保存</Button>
        </Space>
      </Form>
    </AppDrawer>
  )
}

/** Departments and fields of pupils, or of staff. */
function SceneFields({ scene, has_named }: { scene: number; has_named: boolean }): ReactNode {
  const askable = useAskable(scene)
  const what = scene === pupils ? '班级' : '部门'
  return (
    <>
      <Form.Item name="dept_ids" label={what} rules={has_named ? [] : missing(what)} extra="开始采集时名单固定，之后新来的人点“加入新来的人”">
        <Depts tree={scene === pupils ? 'student' : 'staff'} label={what} />
      </Form.Item>
      <Form.Item name="field_codes" label="要核对的字段" rules={missing('要核对的字段')}>
        <Select mode="multiple" loading={askable.isPending} optionFilterProp="label" options={(askable.data ?? []).map(({ field_code, label }) => ({ value: field_code, label }))} />
      </Form.Item>
    </>
  )
}

type DeptsProps = { tree: 'student' | 'staff'; label: string; id?: string; value?: string[]; onChange?: (ids: string[]) => void }

function Depts({ tree, label, id, value = [], onChange }: DeptsProps): ReactNode {
  const placeholder = tree === 'student' ? '请选择学部、年级或班级' : '请选择部门'
  return <DeptsPicker id={id} label={label} tree={tree} placeholder={placeholder} value={value} onChange={depts => onChange?.(depts.map(dept => dept.id))} />
}

function valuesOf(task: CollectTaskRow | undefined, named: NamedPeople | undefined): Partial<Values> {
  const field_scene = task?.field_scene ?? named?.field_scene ?? pupils
  if (!task) return { field_scene, field_codes: named?.field_codes ? [...named.field_codes] : usual[field_scene], review_mode: 'review' }
  const { title, audience, field_codes, close_at, review_mode } = task
  return { title, field_scene, dept_ids: audience.dept_ids, field_codes, review_mode, close_at: dayjs(new Date(Date.parse(close_at) + zone_ms).toISOString().slice(0, 16)) }
}
