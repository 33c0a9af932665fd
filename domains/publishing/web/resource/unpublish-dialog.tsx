import { delivery_states, educationApi } from '@campus/publishing/contract'
import type { Reply } from '@kit/contract'
import { checkSelection } from '@kit/contract/checks'
import { AppModal, call, confirmDanger, instantText, toast, useSaving } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Form, Select, Table, Tabs } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { resources: readonly { id: string; resource_name: string }[]; item: string; onClose: () => void; onDone: () => void }
const states: Readonly<Record<string, string>> = delivery_states
type Line = { key: string; name: string; since: string; note: string }
const asked = '取消选中图片在所在教室的使用，取消后不可恢复！确定取消吗？'
const columns = [
  { title: '名称', dataIndex: 'name' },
  { title: '发布时间', dataIndex: 'since', width: 150 },
  { title: '班牌', dataIndex: 'note', width: 120 },
]

/** Where one of the chosen is shown, and 取消发布 of the ticked places and teachers, which cannot be taken back. */
export function UnpublishDialog({ resources, item, onClose, onDone }: Props): ReactNode {
  const [resource_id, setResource] = useState(resources[0]?.id ?? '')
  const [tab, setTab] = useState<Tab>('place')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [form] = Form.useForm()
  const { busy, refused, run } = useSaving(form)
  const query = useCall(educationApi.published, { resource_id })
  const is_place = tab === 'place'
  const stop = async () => {
    const told = checkSelection(ticked, is_place ? 'unpublish_place' : 'unpublish_teacher')
    if (told !== null) return void toast.warning(told)
    if (!(await confirmDanger({ title: asked, ok: '确定取消' }))) return
    const where = is_place ? { place_id: [...ticked], teachers: [] } : { place_id: [], teachers: [...ticked] }
    const stop_shown = async () => {
      const { boards } = await call(educationApi.unpublish, { resource_id: [resource_id], ...where }, { quiet: true })
      toast.success(boards === 0 ? '操作成功' : `操作成功，已通知${boards}块班牌停播，以班牌回执为准`)
    }
    if (!(await run(stop_shown))) return
    onDone()
    setTicked([])
    const { data } = await query.refetch()
    if (data && data.places.length + data.teachers.length === 0) onClose()
  }
  const frame = { okText: is_place ? '取消所选教室' : '取消所选教师', okButtonProps: { danger: true }, confirmLoading: busy }
  const choose = (patch: { id?: string; tab?: Tab }) => {
    setResource(patch.id ?? resource_id)
    setTab(patch.tab ?? tab)
    setTicked([])
  }
  const options = resources.map(one => ({ value: one.id, label: one.resource_name }))
  return (
    <AppModal open width={620} title={`取消发布${item}`} {...frame} onOk={() => void stop()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {resources.length > 1 && (
        <Select className="kit-fill" aria-label={item} value={resource_id} onChange={id => choose({ id })} options={options} />
      )}
      <Loaded query={query} rows={4}>
        {found => <Usages found={found} tab={tab} onTab={next => choose({ tab: next })} ticked={ticked} onTick={setTicked} />}
      </Loaded>
    </AppModal>
  )
}

type Tab = 'place' | 'teacher'
type UsagesProps = {
  found: Found
  tab: Tab
  onTab: (tab: Tab) => void
  ticked: readonly string[]
  onTick: (keys: readonly string[]) => void
}
type Found = Reply<typeof educationApi.published>

function Usages({ found: { places, teachers }, tab, onTab, ticked, onTick }: UsagesProps): ReactNode {
  const place_lines = places.map(one => ({
    key: one.place_id,
    name: one.place_name,
    since: instantText(one.since),
    note: !one.has_board ? '未绑定班牌' : (states[String(one.state)] ?? '等待下发'),
  }))
  const teacher_lines = teachers.map(one => ({ key: one.user_serial, name: one.name, since: instantText(one.since), note: '' }))
  const table = (rows: Line[], empty: string) => (
    <Table<Line>
      className="res-usages"
      size="small"
      columns={columns}
      dataSource={rows}
      pagination={false}
      locale={{ emptyText: empty }}
      rowSelection={{ selectedRowKeys: [...ticked], onChange: keys => onTick(keys.map(String)) }}
    />
  )
  const items = [
    { key: 'place', label: `教室 ${places.length}`, children: table(place_lines, '没有发布到教室') },
    { key: 'teacher', label: `教师 ${teachers.length}`, children: table(teacher_lines, '没有发布给教师') },
  ]
  return <Tabs activeKey={tab} onChange={key => onTab(key === 'teacher' ? 'teacher' : 'place')} items={items} />
}
