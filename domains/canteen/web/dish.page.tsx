import { ALLERGEN, DISH_KIND, DISH_TABOO, dishApi, dishList } from '@campus/canteen/contract'
import type { DishDraft, DishRow } from '@campus/canteen/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, Table, useResourceList, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { PictureField } from '@kit/web/upload'
import { amountRule, readNumber, wholeRule } from '@kit/web/number'
import { Alert, Form, Button, Input, InputNumber, Select, Switch, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import './canteen.css'

const fields = fieldsOf(dishList, {
  name: { default_action: true, cell: row => <>{row.picture !== null && <img className="canteen-photo" src={row.picture} alt="" />} {row.name}</> },
  enabled: { cell: row => <Tag color={row.enabled ? 'green' : 'default'}>{row.enabled ? '启用' : '停用'}</Tag> },
})
const codes = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value: Number(value), label }))
const fen = 100
const picture_rule = { purpose: 'resource', kind: '1', prepare: 'photo' } as const

/** 菜品管理: dishes with their allergens, price, energy and photo (chapter 60 §5). */
export default function Dishes(): ReactNode {
  const list = useResourceList(dishApi.list, fields)
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], () => void list.refresh())
  const edit = (dish: DishRow | null) => open(<DishDialog dish={dish} onClose={close} onDone={() => void list.refresh()} />)
  const remove = (row: DishRow) => act(() => call(dishApi.remove, { id: row.id }, { quiet: true }), { ask: { title: `删除菜品“${row.name}”？`, ok: '删除' }, done: '已删除' })
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'dish_kind', 'enabled']} />} actions={<><Can code={dishApi.add}><Button type="primary" onClick={() => edit(null)}>新增菜品</Button></Can><ListExport of={list} fact={dishList} call={dishApi.export} /></>}>
      <Table of={list} show={['name', 'dish_kind', 'ingredients', 'allergens', 'price_fen', 'kcal', 'enabled']} row={rowActs(edit, row => void remove(row))} row_width={120} empty="还没有菜品：点“新增菜品”登记后即可排食谱" />
      {dialog}
    </ListPage>
  )
}

function rowActs(edit: (row: DishRow) => void, remove: (row: DishRow) => void): (row: DishRow) => ReactNode {
  return row => (
    <Can code={dishApi.update}>
      <Button type="link" size="small" aria-label={`编辑 ${row.name}`} onClick={() => edit(row)}>编辑</Button>
      <Button type="link" size="small" danger aria-label={`删除 ${row.name}`} onClick={() => remove(row)}>删除</Button>
    </Can>
  )
}

type Values = Omit<DishDraft, 'price_fen' | 'file_key'> & { price: number }

function DishDialog({ dish, onClose, onDone }: { dish: DishRow | null; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'canteen.dishTaken': 'name' })
  const [photo, setPhoto] = useState<{ file_key: string | null; address: string | null }>({ file_key: dish?.file_key ?? null, address: dish?.picture ?? null })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { price, ...rest } = values
    const draft = { ...rest, price_fen: Math.round(price * fen), file_key: photo.file_key }
    if (!(await run(() => (dish === null ? call(dishApi.add, draft, { quiet: true }) : call(dishApi.update, { ...draft, id: dish.id, row_version: dish.row_version }, { quiet: true })), '已保存'))) return
    onDone()
    onClose()
  }
  const takePhoto = (file_key: string) => {
    setPhoto({ file_key, address: null })
    return Promise.resolve()
  }
  return (
    <AppModal open width={560} title={dish === null ? '新增菜品' : '编辑菜品'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="dish" layout="vertical" initialValues={dish === null ? { dish_kind: '1', allergens: [], taboo: [], price: 0, kcal: 0, enabled: true } : { ...dish, price: dish.price_fen / fen }}>
        <Form.Item name="name" label="菜品名称" rules={[{ required: true, whitespace: true, message: '请填写菜品名称' }]}><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="dish_kind" label="类别"><Select options={Object.entries(DISH_KIND.names).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="ingredients" label="主要食材"><Input maxLength={100} /></Form.Item>
        <Form.Item name="allergens" label="致敏物质" extra="没有致敏物质请选“无”"><Select mode="multiple" options={codes(ALLERGEN.names)} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
        <Form.Item name="taboo" label="适合"><Select mode="multiple" options={codes(DISH_TABOO.names)} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
        <Form.Item name="price" label="价格(元)" rules={[amountRule(0, 999.99)]}>
          <InputNumber className="kit-fill" precision={2} parser={readNumber} />
        </Form.Item>
        <Form.Item name="kcal" label="能量(千卡)" rules={[wholeRule(0, 3000)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
        <Form.Item name="enabled" label="启用" valuePropName="checked"><Switch /></Form.Item>
      </Form>
      <PictureField title="照片" rule={picture_rule} address={photo.address} hint={photo.file_key !== null && photo.address === null ? '照片已上传，保存后显示' : undefined} onChange={takePhoto} />
    </AppModal>
  )
}
