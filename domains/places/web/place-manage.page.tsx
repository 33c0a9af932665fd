import { placeApi } from '@campus/places/contract'
import type { Place } from '@campus/places/contract'
import { Can, downloadFile, ImportButton, Loading, schoolToday, sentenceOf, useCan, usePage } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker, Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { Opened } from './opened.ts'
import { PlacePanel } from './place-panel.tsx'
import { PlaceTree } from './place-tree.tsx'
import { placesPorts } from './ports.ts'
import type { DeviceCount } from './ports.ts'
import { countsBelow, endOf, flatten, usePlaces, usePlacesChanged } from './use-places.ts'
import './places.css'

const PlaceDialog = lazy(() => import('./place-dialog.tsx').then(part => ({ default: part.PlaceDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then(part => ({ default: part.MoveDialog })))
const GenerateDialog = lazy(() => import('./generate-dialog.tsx').then(part => ({ default: part.GenerateDialog })))
const HomesDrawer = lazy(() => import('./homes-drawer.tsx').then(part => ({ default: part.HomesDrawer })))
const PlaceCounts = lazy(() => placesPorts().devices().then(door => ({ default: door.PlaceCounts })))
const CloseDialog = lazy(() => import('./close-dialog.tsx').then(part => ({ default: part.CloseDialog })))
const HomeDialog = lazy(() => import('./home-dialog.tsx').then(part => ({ default: part.HomeDialog })))

/** 场所管理: the tree of places on the left, one place on the right. */
export default function PlaceManage(): ReactNode {
  const { search, setSearch } = usePage()
  const day = search['day'] || undefined
  const query = usePlaces(day)
  const may_edit = useCan(placeApi.update) && day === undefined
  const [counts, count] = useState<ReadonlyMap<string, DeviceCount>>(new Map())
  const [opened, open] = useState<Opened>(null)
  if (!query.data) {
    return <div className="place-page" data-ready={query.error ? 'failed' : undefined}>{query.error ? <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} /> : <Loading rows={8} />}</div>
  }
  const nodes = query.data
  const all = flatten(nodes)
  const id = search['place_id'] ?? nodes[0]?.place_id
  const placeOf = (place_id: string) => all.find(node => node.place_id === place_id)
  const select = (place_id: string) => setSearch({ ...search, place_id })
  const rename = (place_id: string) => {
    const place = placeOf(place_id)
    if (place) open({ view: 'edit', place })
  }
  const drop = (place_id: string, target: string) => {
    const place = placeOf(place_id)
    if (place && place.superior_id !== null) open({ view: 'move', place, target })
  }
  const close = () => open(null)
  return (
    <div className="place-page" data-ready="places">
      <aside className="kit-side">
        {day === undefined && <Acts below={id} total={all.length} open={open} />}
        <DayPicker day={day} choose={next => setSearch({ ...search, day: next ?? '' })} />
        <Suspense><PlaceCounts at={endOf(day)} told={count} /></Suspense>
        <PlaceTree nodes={nodes} counts={countsBelow(nodes, counts)} is_past={day !== undefined} selected={id} select={select} rename={may_edit ? rename : null} drop={may_edit ? drop : null} />
      </aside>
      <div className="place-main">
        {all.length <= 1 && may_edit && nodes[0] && <Start above={nodes[0]} open={open} />}
        {id === undefined ? <Empty description="没有可查看的场所" /> : <PlacePanel key={id} id={id} day={day} tab={search['tab']} choose={tab => setSearch({ ...search, tab })} select={select} open={open} />}
      </div>
      <Suspense>
        {opened?.view === 'new' && <PlaceDialog place={null} above={opened.above} onClose={close} onMade={select} />}
        {opened?.view === 'edit' && <PlaceDialog place={opened.place} above={null} onClose={close} onMade={select} />}
        {opened?.view === 'generate' && <GenerateDialog above={opened.above} onClose={close} />}
        {opened?.view === 'move' && <MoveDialog place={opened.place} nodes={nodes} target={opened.target} onClose={close} />}
        {opened?.view === 'home' && <HomeDialog place={opened.place} onClose={close} />}
        {opened?.view === 'close' && <CloseDialog place={opened.place} onClose={close} />}
        {opened?.view === 'homes' && <HomesDrawer onClose={close} />}
      </Suspense>
    </div>
  )
}

/** The tree as it was on a day; without one as it is. */
function DayPicker({ day, choose }: { day: string | undefined; choose: (day: string | undefined) => void }): ReactNode {
  return (
    <>
      <DatePicker aria-label="查看哪一天的场所" placeholder="查看过去某一天" value={day === undefined ? null : dayjs(day)} maxDate={dayjs(schoolToday())} onChange={next => choose(next?.format('YYYY-MM-DD'))} />
      {day !== undefined && <Alert type="info" title={`${day}的场所、班级和设备，只能查看`} action={<Button size="small" onClick={() => choose(undefined)}>回到今天</Button>} />}
    </>
  )
}

/** What is done to the whole tree; the export holds what is chosen in it. */
function Acts({ below, total, open }: { below: string | undefined; total: number; open: (next: Opened) => void }): ReactNode {
  const changed = usePlacesChanged()
  return (
    <div className="place-acts">
      <Can code={placeApi.create}>
        <Button onClick={() => open({ view: 'new', above: null })}>新增校区</Button>
        <Button onClick={() => open({ view: 'homes' })}>待创建的场所</Button>
      </Can>
      <ImportButton code="places.place.import" template="place" title="场所导入" label="导入" unit="个" onApplied={() => void changed()} />
      <ExportButton code={placeApi.export} title="导出场所" total={total} unit="个" run={() => downloadFile(placeApi.export, { superior_id: below }, { quiet: true })} />
    </div>
  )
}

function Start({ above, open }: { above: Place; open: (next: Opened) => void }): ReactNode {
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有场所，先生成一栋楼"><Button type="primary" onClick={() => open({ view: 'generate', above })}>批量生成楼层房间</Button></Empty>
}
