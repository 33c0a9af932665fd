import type { CardRead } from '@campus/devices/contract'
import { sentenceOf, toast, usePage, usePageKeys } from '@kit/web'
import { Alert, Button, Checkbox, Empty, Skeleton, TreeSelect } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { CardEar } from './card-ear.tsx'
import { MinuteCurve } from './minute-curve.tsx'
import { PassExport } from './pass-export.tsx'
import { ReadLine, ReadTile } from './read-tile.tsx'
import { outcomeOf } from './read-words.ts'
import { playTone } from './sound.ts'
import { useCardReads } from './use-card-reads.ts'
import type { Monitor } from './use-card-reads.ts'
import './card.css'

/** 刷卡监控: who is at the doors and readers right now; nothing is asked for again, everything is told. */
export default function CardMonitor(): ReactNode {
  const { search, setSearch } = usePage()
  const place_id = search['place_id']
  const places = usePlaceChoices()
  const choose = (chosen: string | undefined) => {
    const { place_id: _before, ...rest } = search
    setSearch(chosen === undefined ? rest : { ...rest, place_id: chosen })
  }
  const monitor = useCardReads(place_id)
  const [has_sound, setSound] = useState(false)
  const heard = (reads: CardRead[]) => {
    monitor.heard(reads)
    const last = reads.at(-1)
    if (has_sound && last && !monitor.is_held) playTone(outcomeOf(last).tone !== 'bad')
  }
  usePageKeys({ ' ': () => monitor.hold(!monitor.is_held) })
  return (
    <div className="card-page" data-ready={monitor.is_ready ? 'card-monitor' : undefined}>
      {(place_id === undefined ? places.map(place => place.value) : [place_id]).map(id => <CardEar key={id} place_id={id} heard={heard} missed={monitor.again} />)}
      <header className="card-bar">
        <TreeSelect className="card-place-filter" aria-label="场所" allowClear placeholder="全部场所" showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} value={place_id} onChange={(chosen?: string) => choose(chosen)} />
        <Checkbox checked={has_sound} onChange={event => setSound(event.target.checked)}>提示音</Checkbox>
        <Button onClick={() => monitor.hold(!monitor.is_held)}>{monitor.is_held ? '继续（空格）' : '暂停（空格）'}</Button>
        {monitor.is_held && <span role="status">{`${monitor.held} 条新记录`}</span>}
        <PassExport place_id={place_id} places={places} />
        <MinuteCurve counts={monitor.per_minute} />
      </header>
      <Stream monitor={monitor} />
    </div>
  )
}

function Stream({ monitor }: { monitor: Monitor }): ReactNode {
  const [last] = monitor.reads
  if (monitor.error && !monitor.is_ready) return <Alert type="error" showIcon title={sentenceOf(monitor.error)} action={<Button onClick={monitor.again}>重试</Button>} />
  if (!monitor.is_ready) return <Skeleton active />
  if (!last) return <Empty description="最近一天没有刷卡和通行记录，有人刷卡时会立即出现在这里" />
  return (
    <div className="card-main">
      <ReadTile read={last} />
      <ul className="card-stream" aria-label="刷卡记录">
        {monitor.reads.map(read => <ReadLine key={read.read_id} read={read} copy={text => void copyText(text)} />)}
      </ul>
    </div>
  )
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.replaceAll('*', ''))
    toast.success('已复制')
  } catch {
    toast.error('浏览器不允许复制，请手工选择后复制')
  }
}
