import { placeApi } from '@campus/places/contract'
import type { PlaceEra } from '@campus/places/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const kinds = { class: '班级', manager: '负责人', device: '设备', camera: '摄像机', rule: '规则', profile: '配置方案', name: '曾用名' } as const
type Kind = PlaceEra['kind']
const order: readonly Kind[] = ['class', 'manager', 'device', 'camera', 'rule', 'profile', 'name']
const [day_length, kind_width, time_width, shown_at_once] = [10, 96, 150, 50] as const

/** 使用记录: who and what used a place from when until when; with a day what was there on it. */
export function History({ place_id, day }: { place_id: string; day: string | undefined }): ReactNode {
  const [chosen, choose] = useState<Kind | null>(null)
  const query = useQuery({ queryKey: [placeApi.history.call, place_id, day ?? ''], queryFn: async ({ signal }) => (await call(placeApi.history, { id: place_id, at: day }, { signal, quiet: true })).list })
  if (!query.data) return <PartState query={query} />
  const counts = order.flatMap(kind => {
    const count = query.data.filter(era => era.kind === kind).length
    return count > 0 ? [{ kind, count }] : []
  })
  if (counts.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={day === undefined ? '还没有班级、设备、规则或负责人使用过这里' : '当天没有班级、设备、规则或负责人'} />
  const list = query.data.filter(era => chosen === null || era.kind === chosen)
  return (
    <div className="place-history" data-ready="place-history">
      <div className="place-acts" role="group" aria-label="按类别查看">
        <Button size="small" shape="round" type={chosen === null ? 'primary' : 'default'} aria-pressed={chosen === null} onClick={() => choose(null)}>{`全部 ${query.data.length}`}</Button>
        {counts.map(({ kind, count }) => <Button key={kind} size="small" shape="round" type={chosen === kind ? 'primary' : 'default'} aria-pressed={chosen === kind} onClick={() => choose(kind)}>{`${kinds[kind]} ${count}`}</Button>)}
      </div>
      <Table<PlaceEra>
        size="small" rowKey={({ kind, title, from, note }) => `${kind} ${title} ${note ?? ''} ${from}`} dataSource={list} pagination={list.length > shown_at_once && { pageSize: shown_at_once, showSizeChanger: false }}
        columns={[
          { title: '类别', key: 'kind', width: kind_width, render: (_, era) => kinds[era.kind] },
          { title: '名称', key: 'title', ellipsis: true, render: (_, era) => <>{era.title}{era.note !== null && <small className="place-note">{era.note}</small>}</> },
          { title: '开始', key: 'from', width: time_width, render: (_, era) => momentOf(era, era.from) },
          { title: '结束', key: 'to', width: time_width, render: (_, era) => (era.to === null ? <Tag color="green">至今</Tag> : momentOf(era, era.to)) },
        ]}
      />
    </div>
  )
}

/** Classes and managers change with the day. */
function momentOf({ kind }: PlaceEra, instant: string): string {
  return kind === 'class' || kind === 'manager' ? instantText(instant).slice(0, day_length) : instantText(instant)
}
