import { commandStateText, door_kinds, door_modes, doorApi } from '@campus/access/contract'
import type { DoorRow, Emergency } from '@campus/access/contract'
import { Can, dictionaryName, instantText, PageFrame, useCan, usePage } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Dropdown, Empty, Input, Segmented, Tag } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { DoorCodes, DoorCommands } from './door-lists.tsx'
import './door.css'

const OpenDialog = lazyDialog(() => import('./door-dialogs.tsx').then(part => part.OpenDialog))
const HoldDialog = lazyDialog(() => import('./door-dialogs.tsx').then(part => part.HoldDialog))
const EmergencyDialog = lazyDialog(() => import('./door-dialogs.tsx').then(part => part.EmergencyDialog))
const [soon_ms, usual_ms, accepted] = [1000, 10_000, 1] as const
type Tab = 'doors' | 'commands' | 'codes'
const tabs: { value: Tab; label: string }[] = [{ value: 'doors', label: '门' }, { value: 'commands', label: '指令记录' }, { value: 'codes', label: '门牌二维码' }]
type Act = { open: (door: DoorRow) => void; hold: (door: DoorRow, kind: 2 | 3 | 4) => void }

/** 远程门控: every door with how it is, opened with a reason; all of them at once in an emergency (chapter 35 §5). */
export default function DoorControl(): ReactNode {
  const { active } = usePage()
  const [tab, setTab] = useState<Tab>('doors')
  const [keyword, setKeyword] = useState('')
  const query = useCall(doorApi.list, keyword === '' ? {} : { keyword }, { keep: true })
  const { open, close, dialog } = useDialog()
  const { data, refetch } = query
  const refresh = () => void refetch()
  const is_waiting = data?.list.some(door => door.last_command?.state === 'QUEUED' || door.last_command?.state === 'SENT') === true || (data?.emergency?.waiting ?? 0) > 0
  useEffect(() => {
    if (!active || tab !== 'doors') return
    const timer = setInterval(() => void refetch(), is_waiting ? soon_ms : usual_ms)
    return () => clearInterval(timer)
  }, [active, tab, is_waiting, refetch])
  const openDoor = (door: DoorRow) => open(<OpenDialog door={door} onClose={close} onDone={refresh} />)
  const holdDoor = (door: DoorRow, kind: 2 | 3 | 4) => open(<HoldDialog door={door} kind={kind} onClose={close} onDone={refresh} />)
  const emergency = (kind: 4 | 5 | 6) => open(<EmergencyDialog kind={kind} onClose={close} onDone={refresh} />)
  return (
    <PageFrame>
      <div className="door-bar">
        <Segmented<Tab> options={tabs} value={tab} onChange={setTab} />
        <Input.Search className="door-search" allowClear aria-label="门名称" placeholder="门名称或位置" maxLength={50} onSearch={text => setKeyword(text.trim())} />
        <Can code={doorApi.emergency}>
          <Button danger type="primary" onClick={() => emergency(5)}>疏散全开</Button>
          <Button danger onClick={() => emergency(6)}>封闭</Button>
        </Can>
      </div>
      {tab === 'commands' && <DoorCommands />}
      {tab === 'codes' && <DoorCodes keyword={keyword} />}
      {tab === 'doors' && <Loaded query={query}>{({ list, emergency: going }) => (
        <div data-ready="doors">
          {going && <Going emergency={going} resume={() => emergency(4)} />}
          <DoorPlaces doors={list} acts={{ open: openDoor, hold: holdDoor }} />
        </div>
      )}</Loaded>}
      {dialog}
    </PageFrame>
  )
}

function Going({ emergency: { kind, reason, begun_at, by_name, doors, done, waiting }, resume }: { emergency: Emergency; resume: () => void }): ReactNode {
  return (
    <div className="door-alert" role="status">
      <span>{`${door_kinds[kind]}进行中：${reason}。${by_name ?? ''} ${instantText(begun_at)} 发起，共 ${doors} 个门，已执行 ${done} 个${waiting > 0 ? `，${waiting} 个未执行（离线、不支持或等待应答）` : ''}`}</span>
      <Can code={doorApi.emergency}><Button onClick={resume}>恢复</Button></Can>
    </div>
  )
}

function DoorPlaces({ doors, acts }: { doors: readonly DoorRow[]; acts: Act }): ReactNode {
  if (doors.length === 0) return <Empty description="没有门禁设备；在设备管理中把门禁终端放到场所后出现在这里" />
  return (
    <div className="door-places">
      {[...Map.groupBy(doors, door => door.node_path_name)].map(([name, own]) => (
        <section key={name} aria-label={name}>
          <h2>{name}</h2>
          <ul className="door-tiles">{own.map(door => <Tile key={door.device_id} door={door} acts={acts} />)}</ul>
        </section>
      ))}
    </div>
  )
}

const way_names: Readonly<Record<number, string>> = { 1: '进', 2: '出', 3: '双向' }

function Tile({ door, acts }: { door: DoorRow; acts: Act }): ReactNode {
  const may_hold = useCan(doorApi.hold)
  const { online, mode, mode_until, can, direction } = door
  const holds = ([[2, 'hold_open'], [3, 'lock'], [4, 'resume']] as const).filter(([kind, name]) => can.includes(name) && (kind === 4 ? mode !== 'normal' : true))
  const items = holds.map(([kind]) => ({ key: String(kind), label: door_kinds[kind], onClick: () => acts.hold(door, kind) }))
  return (
    <li className="door-tile" data-mode={online ? mode : 'offline'}>
      <header><b title={door.device_name}>{door.device_name}</b><Tag>{way_names[direction]}</Tag></header>
      <p>{`${online ? '在线' : '离线'} · ${door_modes[mode]}${mode_until === null ? '' : `至 ${instantText(mode_until)}`}`}</p>
      <p>{passText(door)}</p>
      <p>{commandText(door)}</p>
      <footer>
        <Can code={doorApi.open}><Button size="small" type="primary" disabled={!online || !can.includes('open')} aria-label={`开门 ${door.device_name}`} onClick={() => acts.open(door)}>开门</Button></Can>
        {may_hold && items.length > 0 && <Dropdown trigger={['click']} menu={{ items }}><Button size="small" disabled={!online} aria-label={`更多 ${door.device_name}`}>更多</Button></Dropdown>}
      </footer>
    </li>
  )
}

function passText({ last_pass }: DoorRow): string {
  if (last_pass === null) return '今天还没有通行'
  const { user_name, at, result } = last_pass
  return `最近通行：${user_name ?? '陌生人'} ${instantText(at).slice(11)}${result === accepted ? '' : ` ${dictionaryName('PASS_STATE', String(result))}`}`
}

function commandText({ last_command }: DoorRow): string {
  if (last_command === null) return ''
  const { kind, state, seconds } = last_command
  return `${door_kinds[kind]}：${commandStateText(state)}${seconds === null ? '' : ` ${seconds.toFixed(1)}秒`}`
}
