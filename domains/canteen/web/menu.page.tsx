import { crowd_types, dishApi, MENU_STATE, menuApi, menuList } from '@campus/canteen/contract'
import type { MenuRow } from '@campus/canteen/contract'
import { AppModal, call, Can, downloadFile, fieldsOf, Filters, ImportButton, leaving, ListPage, schoolToday, Table, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Link, useNavigate } from '@tanstack/react-router'
import { Alert, Button, DatePicker, Form, Radio, Select, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import './canteen.css'

const PictureDialog = lazyDialog(() => import('./picture-dialog.tsx').then(part => part.PictureDialog))
const colors: Readonly<Record<string, string>> = { 0: 'default', 1: 'green', 2: 'red' }
const fields = fieldsOf(menuList, {
  week_start: { default_action: true, cell: row => <Link className="kit-link" to="/CookWeekMenuDetail" search={{ id: row.id }}>{row.week_start}</Link> },
  state: { cell: row => <><Tag color={colors[row.state]}>{MENU_STATE.names[row.state]}</Tag>{row.has_changes && <Tag color="orange">有未发布修改</Tag>}</> },
})
/** Monday of a day's week. */
export const mondayOf = (day: Dayjs): Dayjs => day.subtract((day.day() + 6) % 7, 'day')

/** 每周食谱: canteens against weeks; a week is copied, published, withdrawn, exported (chapter 60 §5). */
export default function Menus(): ReactNode {
  const list = useResourceList(menuApi.list, fields)
  const { open, close, dialog } = useDialog()
  const { busy, act } = useAct([], () => { list.select([]); void list.refresh() })
  const pictures = () => open(<PictureDialog onClose={close} />)
  const add = () => open(<MenuDialog from={null} onClose={close} />)
  const copy = (row: MenuRow) => open(<MenuDialog from={row} onClose={close} />)
  const withdraw = (row: MenuRow) => act(() => call(menuApi.withdraw, { id: row.id }, { quiet: true }), { ask: { title: `撤回${row.week_start}的食谱？家长和班牌不再显示`, ok: '撤回' }, done: '已撤回' })
  const exportChosen = () => act(() => downloadFile(menuApi.export, { ids: list.selected.join(',') }))
  const written = () => void list.refresh()
  const importing = (
    <ImportButton code="canteen.menu.edit" template="canteen_menu" title="食谱导入" label="导入" unit="道菜" onApplied={written} />
  )
  return (
    <ListPage
      of={list} filters={<Filters of={list} show={['state', 'crowd_type', 'from']} />} actions={<Can code={menuApi.save}><Can code={dishApi.addPictures}><Button onClick={pictures}>上传图片</Button></Can>{importing}<Button type="primary" onClick={add}>新建食谱</Button></Can>}
      batch={<Can code={menuApi.export}><Button loading={busy} onClick={() => void exportChosen()}>导出（{list.selected.length}）</Button></Can>}
    >
      <Table of={list} show={['week_start', 'place_name', 'crowd_type', 'state', 'days', 'dishes', 'updated_by_name', 'updated_at']} more={['rev']} row={rowActs(copy, row => void withdraw(row))} row_width={132} selectable empty="还没有食谱：点“新建食谱”选择餐厅和周" />
      {dialog}
    </ListPage>
  )
}

function rowActs(copy: (row: MenuRow) => void, withdraw: (row: MenuRow) => void): (row: MenuRow) => ReactNode {
  return row => (
    <>
      <Can code={menuApi.copy}><Button type="link" size="small" aria-label={`复制 ${row.week_start}`} onClick={() => copy(row)}>复制</Button></Can>
      {row.state === '1' && <Can code={menuApi.withdraw}><Button type="link" size="small" danger aria-label={`撤回 ${row.week_start}`} onClick={() => withdraw(row)}>撤回</Button></Can>}
    </>
  )
}

type Values = { place_id?: string; crowd_type: number; week: Dayjs }

/** A new week, empty or with the dishes of another one. */
function MenuDialog({ from, onClose }: { from: MenuRow | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const navigate = useNavigate()
  const places = useCall(menuApi.places, {})
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const week_start = mondayOf(values.week).format('YYYY-MM-DD')
    const made: { id?: string } = {}
    const ok = await run(async () => {
      made.id = from === null ? (await call(menuApi.save, { place_id: values.place_id ?? '', crowd_type: values.crowd_type, week_start, items: [] }, { quiet: true })).id : (await call(menuApi.copy, { from_id: from.id, week_start }, { quiet: true })).id
    }, from === null ? '已新建' : '已复制')
    if (!ok || made.id === undefined) return
    onClose()
    void navigate({ to: '/CookWeekMenuDetail', search: { id: made.id } })
  }
  return (
    <AppModal open width={480} title={from === null ? '新建食谱' : `复制 ${from.place_name} ${from.week_start}`} okText={from === null ? '新建' : '复制'} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="menu" layout="vertical" initialValues={{ crowd_type: 1, week: mondayOf(dayjs(from?.week_start ?? schoolToday())).add(from === null ? 0 : 7, 'day') }}>
        {from === null && <Form.Item name="place_id" label="餐厅" rules={[{ required: true, message: '请选择餐厅' }]} extra="在场所管理中类型为食堂或食堂窗口的场所"><Select options={(places.data?.list ?? []).map(one => ({ value: one.place_id, label: one.place_name }))} /></Form.Item>}
        {from === null && <Form.Item name="crowd_type" label="对象"><Radio.Group options={Object.entries(crowd_types).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>}
        <Form.Item name="week" label="周" rules={[{ required: true, message: '请选择周' }]}><DatePicker picker="week" className="kit-fill" /></Form.Item>
      </Form>
    </AppModal>
  )
}
