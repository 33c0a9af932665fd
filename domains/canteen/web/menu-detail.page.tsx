import { ALLERGEN, dishApi, MEAL_KIND, MENU_STATE, menuApi } from '@campus/canteen/contract'
import type { DishRow, MenuDetail, MenuItem } from '@campus/canteen/contract'
import { AppModal, call, leaving, PageFrame, schoolToday, useCan, usePage, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Link, useBlocker } from '@tanstack/react-router'
import { Alert, Button, Empty, Form, Input, Select, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'
import './canteen.css'

type Cell = Pick<MenuItem, 'day' | 'meal_kind' | 'dish_id'>
const meals = MEAL_KIND.codes
const allergens: Readonly<Record<string, string>> = ALLERGEN.names
const keyOf = (one: Cell) => `${one.day} ${one.meal_kind} ${one.dish_id}`

/** 食谱详情: a week as days against meals; unsaved cells stay while the page is kept (chapter 60 §5). */
export default function MenuWeek(): ReactNode {
  const { search } = usePage()
  const query = useCall(menuApi.detail, { id: search.id ?? '0', type: 2 }, { enabled: search.id !== undefined })
  if (search.id === undefined) return <PageFrame ready="page"><Empty description={<>请先在<Link className="kit-link" to="/CookWeekMenu">每周食谱</Link>中选择一周</>} /></PageFrame>
  return <Loaded query={query}>{menu => <Week key={`${menu.id}-${menu.row_version}`} menu={menu} again={() => void query.refetch()} />}</Loaded>
}

function Week({ menu, again }: { menu: MenuDetail; again: () => void }): ReactNode {
  const [cells, setCells] = useState<readonly Cell[]>(menu.items)
  const dishes = useCall(dishApi.list, { enabled: '1', page_size: 300 }, { enabled: useCan(dishApi.list) })
  const may_edit = useCan(menuApi.save)
  const { busy, refused, run } = useSaving()
  const { act } = useAct([], again)
  const { open, close, dialog } = useDialog()
  const changed = cells.map(keyOf).toSorted().join() !== menu.items.map(keyOf).toSorted().join()
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => changed })
  const save = async (publish: 0 | 1) => {
    const items = cells.map(({ day, meal_kind, dish_id }) => ({ day, meal_kind, dish_id }))
    if (await run(() => call(menuApi.save, { id: menu.id, place_id: menu.place_id, crowd_type: menu.crowd_type, week_start: menu.week_start, row_version: menu.row_version, items, publish }, { quiet: true }), publish === 1 ? '已发布' : '已保存')) again()
  }
  const fill = () => act(() => call(menuApi.fill, { id: menu.id }, { quiet: true }), { done: ({ added }) => (added === 0 ? '没有可填的空白午餐，或菜品不够' : `已填入${added}道菜`) })
  const exchange = (item: MenuItem) => open(<ExchangeDialog menu={menu} item={item} dishes={dishes.data?.list ?? []} onClose={close} onDone={again} />)
  const footer = may_edit && <><Button loading={busy} disabled={!changed} onClick={() => void save(0)}>保存草稿</Button><Button type="primary" loading={busy} onClick={() => void save(1)}>发布</Button></>
  return (
    <PageFrame ready="page" help={<>{menu.place_name} · {menu.week_start} 一周 <Tag>{MENU_STATE.names[menu.state]}</Tag>{changed && <Tag color="orange">有未保存修改</Tag>}</>} footer={footer} actions={<>{may_edit && <Button disabled={changed} onClick={() => void fill()}>生成空白午餐</Button>}<Button onClick={() => window.print()}>打印</Button></>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {menu.warnings.length > 0 && <Alert type="info" showIcon title={`提示：${menu.warnings.slice(0, 6).join('；')}${menu.warnings.length > 6 ? '…' : ''}`} />}
      <Grid menu={menu} cells={cells} dishes={dishes.data?.list ?? []} setCells={may_edit ? setCells : null} exchange={exchange} />
      {dialog}
    </PageFrame>
  )
}

type GridProps = { menu: MenuDetail; cells: readonly Cell[]; dishes: readonly DishRow[]; setCells: ((cells: readonly Cell[]) => void) | null; exchange: (item: MenuItem) => void }

function Grid({ menu, cells, dishes, setCells, exchange }: GridProps): ReactNode {
  const days = Array.from({ length: 7 }, (_, at) => dayjs(menu.week_start).add(at, 'day').format('YYYY-MM-DD'))
  const today = schoolToday()
  const known = new Map(menu.items.map(item => [keyOf(item), item]))
  const by_id = new Map(dishes.map(dish => [dish.id, dish]))
  const options = dishes.map(dish => ({ value: dish.id, label: dish.name }))
  return (
    <div className="canteen-week">
      <table>
        <thead><tr><th scope="col">餐次</th>{days.map(day => <th key={day} scope="col">{dayjs(day).format('MM-DD')} 周{'日一二三四五六'[dayjs(day).day()]}</th>)}</tr></thead>
        <tbody>
          {meals.map(meal_kind => (
            <tr key={meal_kind}>
              <th scope="row">{MEAL_KIND.names[meal_kind]}</th>
              {days.map(day => {
                const own = cells.filter(one => one.day === day && one.meal_kind === meal_kind)
                const is_past = menu.state === '1' && day < today
                const set = (ids: readonly string[]) => setCells?.([...cells.filter(one => one.day !== day || one.meal_kind !== meal_kind), ...ids.map(dish_id => ({ day, meal_kind, dish_id }))])
                const facts = own.map(one => ({ item: known.get(keyOf(one)), dish: by_id.get(one.dish_id), id: one.dish_id }))
                const kcal = facts.reduce((sum, { item, dish }) => sum + (item?.kcal ?? dish?.kcal ?? 0), 0)
                return (
                  <td key={day} data-past={is_past || undefined}>
                    {facts.map(({ item, dish, id }) => <DishLine key={id} name={item?.dish_name ?? dish?.name ?? ''} codes={item?.allergens ?? dish?.allergens ?? []} replaced={item?.replaced_by ?? null} exchange={item && menu.state === '1' && !is_past && setCells !== null ? () => exchange(item) : null} />)}
                    {kcal > 0 && <p className="canteen-sum">{kcal}千卡</p>}
                    {setCells !== null && !is_past && <Select size="small" mode="multiple" className="kit-fill" aria-label={`${day}${MEAL_KIND.names[meal_kind]}`} placeholder="选菜" maxTagCount={0} maxTagPlaceholder={`${own.length}道`} value={own.map(one => one.dish_id)} options={options} showSearch={{ optionFilterProp: 'label' }} onChange={set} />}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function DishLine({ name, codes, replaced, exchange }: { name: string; codes: readonly number[]; replaced: string | null; exchange: (() => void) | null }): ReactNode {
  const words = codes.filter(code => code > 0).map(code => allergens[String(code)]).join('、')
  return (
    <div className="canteen-dish">
      <span>{name}{words !== '' && <small title={`致敏物质：${words}`}> ⚠{words}</small>}{replaced !== null && <Tag color="orange" title={replaced}>已调整</Tag>}</span>
      {exchange !== null && <Button type="link" size="small" aria-label={`换菜 ${name}`} onClick={exchange}>换</Button>}
    </div>
  )
}

type ExchangeProps = { menu: MenuDetail; item: MenuItem; dishes: readonly DishRow[]; onClose: () => void; onDone: () => void }

/** 换菜 on a published menu, with its reason. */
function ExchangeDialog({ menu, item, dishes, onClose, onDone }: ExchangeProps): ReactNode {
  const [form] = Form.useForm<{ new_dish_id: string; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(menuApi.substitute, { id: menu.id, day: item.day, meal_kind: item.meal_kind, old_dish_id: item.dish_id, ...values }, { quiet: true }), '已换菜'))) return
    onClose()
    onDone()
  }
  return (
    <AppModal open width={420} title={`换菜：${item.day} ${item.dish_name}`} okText="换菜" confirmLoading={busy} onOk={() => void save()}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exchange" layout="vertical">
        <Form.Item name="new_dish_id" label="换成" rules={[{ required: true, message: '请选择菜品' }]}><Select options={dishes.filter(dish => dish.id !== item.dish_id).map(dish => ({ value: dish.id, label: dish.name }))} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请填写换菜原因' }]}><Input maxLength={60} /></Form.Item>
      </Form>
    </AppModal>
  )
}
