import { teachingErrors, timetableApi, versionApi } from '@campus/teaching/contract'
import type { Timetable } from '@campus/teaching/contract'
import type { Reply } from '@kit/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Form, Input, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { termOptions, useTerms } from '../use-terms.tsx'

type Frame = { onClose: () => void; onDone: () => void }
type Props = Frame & { kind: 1 | 2; period_kind: 1 | 2 } & ({ mode: 'new'; table?: undefined } | { mode: 'copy' | 'rename'; table: Timetable })
const titles = { new: '新建课表', copy: '复制课表', rename: '重命名课表' } as const

/** A new timetable of a term, a copy of one, or another name. */
export function TimetableDialog({ mode, table, kind, period_kind, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ name: string; semester_id: number }>()
  const { busy, refused, run } = useSaving(form, { [teachingErrors.nameTaken.id]: 'name' })
  const { terms, semester_id } = useTerms()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const send = () => {
      if (mode === 'copy') return call(timetableApi.copy, { timetable_id: table.id, name: values.name }, { quiet: true })
      if (mode === 'rename') return call(timetableApi.update, { id: table.id, name: values.name, archived: table.archived, row_version: table.row_version }, { quiet: true })
      return call(timetableApi.create, { name: values.name, kind, period_kind, semester_id: values.semester_id }, { quiet: true })
    }
    if (!(await run(send, mode === 'rename' ? '设置成功' : '添加成功'))) return
    onDone()
    onClose()
  }
  const open_terms = terms.filter(term => !term.is_closed)
  return (
    <AppModal open width={480} title={titles[mode]} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} key={String(semester_id)} name="timetable" layout="vertical" initialValues={{ name: table ? (mode === 'copy' ? `${table.name}副本`.slice(0, 40) : table.name) : '', semester_id }}>
        <Form.Item name="name" label="名称" required rules={[{ required: true, whitespace: true, message: '请填写名称' }]}><Input maxLength={40} showCount /></Form.Item>
        {mode === 'new' && (
          <Form.Item name="semester_id" label={period_kind === 2 ? '学年（取该学期所在学年）' : '学期'} rules={[{ required: true, message: '请选择学期' }]} extra="按该学期的教师任课生成待排的课">
            <Select options={termOptions(open_terms)} />
          </Form.Item>
        )}
      </Form>
    </AppModal>
  )
}

type Change = Reply<typeof versionApi.diff>['list'][number]
const changes: Readonly<Record<Change['change'], [string, string]>> = { added: ['新增', 'green'], removed: ['删除', 'red'], moved: ['移动', 'blue'], teacher: ['换教师', 'orange'], place: ['换教室', 'orange'], weeks: ['周次', 'orange'] }
const columns = [
  { key: 'change', title: '变化', width: 88, render: (_: unknown, { change }: Change) => <Tag color={changes[change][1]}>{changes[change][0]}</Tag> },
  { key: 'class', title: '班级', width: 136, dataIndex: 'class_name' },
  { key: 'course', title: '课程', width: 136, dataIndex: 'course_name' },
  { key: 'before', title: '原来', dataIndex: 'before' },
  { key: 'after', title: '现在', dataIndex: 'after' },
]

/** Two versions of one timetable side by side, lesson by lesson. */
export function DiffDialog({ table, onClose }: { table: Timetable; onClose: () => void }): ReactNode {
  const [newer, setNewer] = useState(table.versions[0]?.id ?? '')
  const [older, setOlder] = useState(table.versions[1]?.id ?? '')
  const query = useCall(versionApi.diff, { id: newer, with: older })
  const options = table.versions.map(({ id, version_no, note }) => ({ value: id, label: `v${version_no} ${note}` }))
  return (
    <AppModal open width={880} title={`版本对比：${table.name}`} footer={null} onCancel={onClose}>
      <p>从 <Select className="teaching-term" aria-label="原版本" value={older} onChange={setOlder} options={options} /> 到 <Select className="teaching-term" aria-label="新版本" value={newer} onChange={setNewer} options={options} /></p>
      <Loaded query={query} rows={6} empty="两个版本相同">{({ list }) => <Table<Change> size="small" rowKey={(row: Change) => `${row.change} ${row.class_name} ${row.course_name} ${row.before} ${row.after}`} columns={columns} dataSource={list} pagination={{ pageSize: 50, showSizeChanger: false }} scroll={{ y: 400 }} />}</Loaded>
    </AppModal>
  )
}
