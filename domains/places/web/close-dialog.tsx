import { placeApi } from '@campus/places/contract'
import type { Place, PlaceClosing } from '@campus/places/contract'
import { AppModal, call, schoolToday, sentenceOf, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { usePlacesChanged } from './use-places.ts'

type Held = PlaceClosing['held'][number]
const ways: Readonly<Record<Held['kind'], string>> = { below: '请先停用或移走下级场所', home: '班级需要先离开这里', other: '请先移走' }

/** Closes a place after telling what is in it; while something is, it says what and what to do. */
export function CloseDialog({ place, onClose }: { place: Place; onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [placeApi.closing.call, place.place_id], queryFn: ({ signal }) => call(placeApi.closing, { id: place.place_id }, { signal, quiet: true }), gcTime: 0 })
  const { busy, refused, run } = useSaving()
  const changed = usePlacesChanged()
  const { data } = query
  const close = async () => {
    if (!(await run(() => call(placeApi.remove, { id: place.place_id, row_version: place.row_version }, { quiet: true }), '场所已停用'))) return void (await query.refetch())
    await changed()
    onClose()
  }
  const leave = async () => {
    await run(() => call(placeApi.home, { id: place.place_id, dept_id: null, from: schoolToday() }, { quiet: true }), '已解除班级绑定')
    await Promise.all([changed(), query.refetch()])
  }
  return (
    <AppModal open width={520} title={`停用“${place.place_name}”`} okText="停用场所" okButtonProps={{ danger: true, disabled: data === undefined || data.held.length > 0 }} confirmLoading={busy} onOk={() => void close()} onCancel={onClose}>
      {(refused ?? query.error) && <Alert type="warning" showIcon title={refused ?? sentenceOf(query.error)} />}
      {query.isPending && <Skeleton active />}
      {data && (data.held.length > 0 ? <InTheWay held={data.held} leave={busy ? null : () => void leave()} /> : <Asked managers={data.managers} />)}
    </AppModal>
  )
}

function InTheWay({ held, leave }: { held: readonly Held[]; leave: (() => void) | null }): ReactNode {
  return (
    <>
      <p>这里还有以下内容，清空后才能停用：</p>
      <ul className="place-held">
        {held.map(({ kind, title, way }) => (
          <li key={title}>
            <b>{title}</b><span>{way ?? ways[kind]}</span>
            {kind === 'home' && <Button size="small" disabled={leave === null} onClick={() => leave?.()}>解除班级绑定</Button>}
          </li>
        ))}
      </ul>
    </>
  )
}

function Asked({ managers }: Pick<PlaceClosing, 'managers'>): ReactNode {
  return (
    <>
      <p>这里没有班级、设备和规则。停用后不再出现在选择框中，历史记录仍显示它的名称，以后可以恢复。</p>
      {managers.length > 0 && <p>{`负责人 ${managers.map(one => one.user_name).join('、')} 将不再负责这里。`}</p>}
    </>
  )
}
