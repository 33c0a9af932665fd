import { building_kinds, campus_kind, classroom_kinds, placeApi } from '@campus/places/contract'
import type { PlaceDetail } from '@campus/places/contract'
import { PeoplePicker } from '@campus/people/web'
import { call, Can, dictionaryName, PageTabs, useCan, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Alert, Button, Skeleton, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { History } from './place-history.tsx'
import type { Opened } from './opened.ts'
import { placesPorts } from './ports.ts'
import { endOf, hasClasses, usePlace, usePlacesChanged } from './use-places.ts'

const PlaceDevices = lazy(() => placesPorts().devices().then(door => ({ default: door.PlaceDevices })))
const PlacePlan = lazy(() => placesPorts().devices().then(door => ({ default: door.PlacePlan })))
const tabs = [{ key: 'facts', label: '基本信息' }, { key: 'devices', label: '设备' }, { key: 'uses', label: '使用记录' }, { key: 'plan', label: '平面图' }] as const
type Tab = (typeof tabs)[number]['key']

/** What is known of one place, and what may be done with it. */
export function PlacePanel({ id, day, tab, choose, select, open }: { id: string; day: string | undefined; tab: string | undefined; choose: (tab: Tab) => void; select: (place_id: string) => void; open: (next: Opened) => void }): ReactNode {
  const query = usePlace(id)
  if (!query.data) return <PartState query={query} />
  // What is known of a place is known of today only.
  const shown = tabs.filter(one => (one.key !== 'facts' && one.key !== 'plan') || day === undefined)
  const chosen = shown.find(one => one.key === tab)?.key ?? shown[0]?.key ?? 'devices'
  return (
    <section className="place-panel" aria-label={query.data.place.place_name}>
      <Head detail={query.data} is_past={day !== undefined} open={open} />
      <PageTabs tabs={shown} value={chosen} onChange={choose} />
      {chosen === 'facts' && <Facts detail={query.data} />}
      {chosen === 'devices' && <Suspense fallback={<Skeleton active />}><PlaceDevices place_id={id} path={query.data.place.node_path_name} is_leaf={query.data.place.is_leaf} at={endOf(day)} /></Suspense>}
      {chosen === 'plan' && <Suspense fallback={<Skeleton active />}><PlacePlan place_id={id} choose={select} /></Suspense>}
      {chosen === 'uses' && <History place_id={id} day={day} />}
    </section>
  )
}

function Head({ detail: { place }, is_past, open }: { detail: PlaceDetail; is_past: boolean; open: (next: Opened) => void }): ReactNode {
  const { busy, refused, run } = useSaving()
  const changed = usePlacesChanged()
  const is_open = place.status === 'open'
  const reopen = async () => {
    await run(() => call(placeApi.reopen, { place_id: place.place_id, row_version: place.row_version }, { quiet: true }), '场所已恢复')
    await changed()
  }
  return (
    <>
      <h2 className="place-title">{place.place_name} <Tag>{dictionaryName('PLACE_KIND', String(place.place_kind))}</Tag>{place.private_zone && <Tag color="red">私密区域</Tag>}{!is_open && <Tag color="orange">已停用</Tag>}</h2>
      <p className="place-hint">{place.node_path_name}</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {!is_past && <Can code={placeApi.update}>
        <div className="place-acts">
          {is_open && <Button type="primary" onClick={() => open({ view: 'new', above: place })}>新增下级</Button>}
          {is_open && [campus_kind, ...building_kinds].includes(place.place_kind) && <Button onClick={() => open({ view: 'generate', above: place })}>批量生成楼层房间</Button>}
          {is_open && <Button onClick={() => open({ view: 'edit', place })}>编辑</Button>}
          {is_open && place.superior_id !== null && <Button onClick={() => open({ view: 'move', place, target: undefined })}>移动</Button>}
          {is_open && hasClasses() && classroom_kinds.includes(place.place_kind) && <Button onClick={() => open({ view: 'home', place })}>绑定班级</Button>}
          {is_open && <Button danger onClick={() => open({ view: 'close', place })}>停用</Button>}
          {!is_open && <Button loading={busy} onClick={() => void reopen()}>恢复</Button>}
        </div>
      </Can>}
    </>
  )
}

function Facts({ detail }: { detail: PlaceDetail }): ReactNode {
  const { place } = detail
  const lines = [
    ...(hasClasses() ? [['班级', place.dept_name ?? '—'] as const] : []),
    ['容纳人数', place.capacity === null ? '—' : String(place.capacity)],
    ['面积', place.area_m2 === null ? '—' : `${place.area_m2} 平方米`],
  ] as const
  return (
    <>
      <dl className="place-facts">{lines.map(([label, value]) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
      <Managers detail={detail} />
    </>
  )
}

/** Who looks after the place; they see it with everything below. */
function Managers({ detail: { place, managers } }: { detail: PlaceDetail }): ReactNode {
  const may_edit = useCan(placeApi.managers)
  const [chosen, choose] = useState<string[] | null>(null)
  const { busy, refused, run } = useSaving()
  const changed = usePlacesChanged()
  const save = async () => {
    if (!chosen || !(await run(() => call(placeApi.managers, { id: place.place_id, user_ids: chosen }, { quiet: true }), '设置成功'))) return
    await changed()
    choose(null)
  }
  return (
    <div className="place-managers">
      <h3>负责人</h3>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {chosen === null && <p>{managers.length === 0 ? '还没有负责人' : managers.map(one => `${one.user_name}（${one.user_no}）`).join('、')} {may_edit && place.status === 'open' && <Button type="link" onClick={() => choose(managers.map(one => one.user_id))}>设置负责人</Button>}</p>}
      {chosen !== null && (
        <div className="place-acts">
          <PeoplePicker of={['teacher']} max={5} id="place-managers" known={managers} placeholder="按姓名、拼音或工号查找" value={chosen} onChange={choose} />
          <Button type="primary" loading={busy} onClick={() => void save()}>保存负责人</Button>
          <Button onClick={() => choose(null)}>取消</Button>
        </div>
      )}
      <p className="place-hint">角色的场所范围为“自己负责的”时，负责人可以看到这里及其全部下级。</p>
    </div>
  )
}
