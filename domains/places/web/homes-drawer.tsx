import { placeApi } from '@campus/places/contract'
import type { AddableClass } from '@campus/places/contract'
import { AppDrawer, call, PageTabs, schoolToday, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Select, Skeleton, Table } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { placesPorts } from './ports.ts'
import { hasClasses, usePlacesChanged } from './use-places.ts'

const PlaceAddable = lazy(() => placesPorts().devices().then(door => ({ default: door.PlaceAddable })))
const purposes = [{ key: 'class', label: '班级教室' }, { key: 'device', label: '设备' }, { key: 'camera', label: '摄像机' }] as const

type Line = { dept_id: string; dept_name: string }

/** 待创建的场所: classes without a room, devices without a place, cameras that watch nothing, each with a proposal that can be changed. */
export function HomesDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const shown = purposes.filter(one => one.key !== 'class' || hasClasses())
  const [chosen, choose] = useState<(typeof purposes)[number]['key']>(hasClasses() ? 'class' : 'device')
  return (
    <AppDrawer size={760} title="待创建的场所" onClose={onClose}>
      <PageTabs tabs={shown} value={chosen} onChange={choose} />
      {chosen === 'class' ? <Classes onClose={onClose} /> : <Suspense fallback={<Skeleton active />}><PlaceAddable key={chosen} purpose={chosen} /></Suspense>}
    </AppDrawer>
  )
}

async function classesOf(signal: AbortSignal): Promise<AddableClass | null> {
  const found = await call(placeApi.addable, { purpose: 'class' }, { signal, quiet: true })
  return found.purpose === 'class' ? found : null
}

function Classes({ onClose }: { onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [placeApi.addable.call, 'class'], queryFn: ({ signal }) => classesOf(signal) })
  return (
    <>
      {!query.data && <PartState query={query} />}
      {query.data && (query.data.classes.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="每个班级都已有教室" /> : <Proposals found={query.data} onClose={onClose} />)}
    </>
  )
}

function Proposals({ found: { classes, rooms, pairs }, onClose }: { found: AddableClass; onClose: () => void }): ReactNode {
  const [chosen, setChosen] = useState<Readonly<Record<string, string | undefined>>>(Object.fromEntries(pairs.map(pair => [pair.dept_id, pair.place_id])))
  const { busy, refused, run } = useSaving()
  const changed = usePlacesChanged()
  const wanted = classes.flatMap(({ dept_id }) => {
    const place_id = chosen[dept_id]
    return place_id === undefined ? [] : [{ dept_id, place_id }]
  })
  const taken = new Set(Object.values(chosen))
  const bind = async () => {
    if (!(await run(() => call(placeApi.homes, { pairs: wanted, from: schoolToday() }, { quiet: true }), `已为 ${wanted.length} 个班级绑定教室`))) return
    await changed()
    onClose()
  }
  const choose = (_: unknown, { dept_id, dept_name }: Line) => (
    <Select
      allowClear className="kit-fill" aria-label={`${dept_name}的教室`} placeholder="选择教室" showSearch={{ optionFilterProp: 'label' }} value={chosen[dept_id]}
      options={rooms.filter(room => room.place_id === chosen[dept_id] || !taken.has(room.place_id)).map(room => ({ value: room.place_id, label: room.node_path_name }))}
      onChange={(place_id: string | undefined) => setChosen({ ...chosen, [dept_id]: place_id })}
    />
  )
  return (
    <>
      <p className="place-hint">还有 {classes.length} 个班级没有教室，空教室 {rooms.length} 间。已按年级所在楼层给出建议，可以修改。</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Table<Line> size="small" rowKey="dept_id" pagination={false} dataSource={[...classes]} columns={[{ title: '班级', dataIndex: 'dept_name', width: 160 }, { title: '教室', key: 'room', render: choose }]} />
      <Button className="place-bind" type="primary" loading={busy} disabled={wanted.length === 0} onClick={() => void bind()}>绑定 {wanted.length} 个班级</Button>
    </>
  )
}
