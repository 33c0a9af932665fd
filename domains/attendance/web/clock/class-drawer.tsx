import { ATTEND_WAY, clockApi, rollcallApi } from '@campus/attendance/contract'
import type { Seat, Tile } from '@campus/attendance/contract'
import { AppDrawer, Can, instantText } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { StateTag } from '../result/state-tag.tsx'

const RollCallDialog = lazyDialog(() => import('./roll-call-dialog.tsx').then(part => part.RollCallDialog))
type Props = { tile: Tile; asked: { date: string; slot: string | undefined }; onClose: () => void; onDone: () => void }

/** A class in a slot: who is there, who is missing, and the roll-call of its lesson. */
export function ClassDrawer({ tile, asked, onClose, onDone }: Props): ReactNode {
  const { slot, date } = asked
  const query = useCall(clockApi.ofClass, { dept_id: tile.dept_id, date, ...(slot === undefined ? {} : { slot }) }, { keep: true })
  const { open, close, dialog } = useDialog()
  const lesson = query.data?.lesson_day_id ?? null
  const call = (is_bulk: boolean) => lesson !== null && open(<RollCallDialog lesson_day_id={lesson} is_bulk={is_bulk} onClose={close} onDone={onDone} />)
  const acts = lesson !== null && (
    <Can code={rollcallApi.submit}><Button type="primary" onClick={() => call(false)}>点名</Button> {tile.unverified > 0 && <Button onClick={() => call(true)}>批量补录</Button>}</Can>
  )
  return (
    <AppDrawer open width={560} title={`${tile.dept_name} ${tile.title}`} onClose={onClose} extra={acts}>
      <Loaded query={query} rows={8} empty="该时段没有需要考勤的学生" isEmpty={({ list }) => list.length === 0}>
        {({ list }) => <ul className="attend-seats">{list.map(seat => <SeatItem key={seat.user_id} seat={seat} />)}</ul>}
      </Loaded>
      {dialog}
    </AppDrawer>
  )
}

function SeatItem({ seat }: { seat: Seat }): ReactNode {
  const ways: Readonly<Record<string, string>> = ATTEND_WAY.names
  const how = seat.identify_type === null ? '' : (ways[String(seat.identify_type)] ?? '')
  return <li><b>{seat.user_name}</b><StateTag state={seat.state} provisional={seat.provisional} /><small>{seat.in_at === null ? how : `${instantText(seat.in_at).slice(11)} ${how}`}</small></li>
}
