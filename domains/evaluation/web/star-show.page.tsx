import { committeeApi, name_modes, pointsText, starChannel, starShowApi } from '@campus/evaluation/contract'
import type { Wall } from '@campus/evaluation/contract'
import { Can, instantText, PageFrame, PageTabs, useCan, useChannel, usePage } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, Progress, Select, Tag } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { ClassCard } from './class-card.tsx'
import { Rankings } from './rankings.tsx'
import { StarBadge } from './star-badge.tsx'

const DisplayDialog = lazyDialog(() => import('./display-dialog.tsx').then(part => part.DisplayDialog))
const tabs = [
  { key: 'wall', label: '展示墙' },
  { key: 'rank', label: '往期排行' },
  { key: 'card', label: '班级名片' },
] as const
type Tab = (typeof tabs)[number]['key']
const whole_school = '0'
const podium_places = 3
const points = 1000

/** 星级展示: the wall of a hall, settled rankings, cards of the classes (chapter 55 §5). */
export default function StarShow(): ReactNode {
  const { search, setSearch } = usePage()
  const may_cards = useCan(committeeApi.list)
  const shown = tabs.filter(one => one.key !== 'card' || may_cards)
  const tab: Tab = shown.find(one => one.key === search.tab)?.key ?? 'wall'
  const dept_id = search.dept_id ?? whole_school
  const classes = useCall(committeeApi.classes, {}, { enabled: may_cards })
  const list = classes.data?.list ?? []
  const options = [
    ...(tab === 'card' ? [] : [{ value: whole_school, label: '全校' }]),
    ...list.map(one => ({ value: one.dept_id, label: one.dept_name })),
  ]
  const card_of = dept_id === whole_school ? (list[0]?.dept_id ?? '') : dept_id
  const choose = (id: string) => setSearch({ ...search, dept_id: id })
  return (
    <PageFrame ready="page">
      <div className="star-head">
        <PageTabs tabs={shown} value={tab} onChange={key => setSearch({ ...search, tab: key })} />
        {may_cards && (
          <Select
            className="star-filter"
            aria-label="范围"
            showSearch={{ optionFilterProp: 'label' }}
            options={options}
            value={tab === 'card' ? card_of : dept_id}
            onChange={choose}
          />
        )}
      </div>
      {tab === 'wall' && <WallPart key={dept_id} dept_id={dept_id} />}
      {tab === 'rank' && <Rankings key={dept_id} dept_id={dept_id} />}
      {tab === 'card' && (card_of === '' ? <Empty description="没有可查看的班级" /> : <ClassCard key={card_of} dept_id={card_of} />)}
    </PageFrame>
  )
}

function WallPart({ dept_id }: { dept_id: string }): ReactNode {
  const wall = useCall(starShowApi.wall, dept_id === whole_school ? {} : { dept_id })
  const { open, close, dialog } = useDialog()
  const room = useRef<HTMLDivElement>(null)
  const again = () => void wall.refetch()
  useChannel(starChannel, again, { of: dept_id, onGap: again })
  const setUp = () => open(<DisplayDialog dept_id={dept_id} onClose={close} onDone={again} />)
  return (
    <>
      <PageFrame
        actions={
          <>
            <Can code={starShowApi.display}>
              <Button onClick={setUp}>展示设置</Button>
            </Can>
            <Button type="primary" onClick={() => void room.current?.requestFullscreen()}>
              全屏展示
            </Button>
          </>
        }
      />
      <div ref={room} className="star-wall">
        <Loaded query={wall}>{loaded => <WallView wall={loaded} />}</Loaded>
      </div>
      {dialog}
    </>
  )
}

function WallView({ wall }: { wall: Wall }): ReactNode {
  const modes: Readonly<Record<number, string>> = name_modes
  const most = Math.max(1, ...wall.classes.map(one => one.mean_milli))
  const [first = [], rest] = [wall.podium.filter(one => one.rank <= podium_places), wall.podium.filter(one => one.rank > podium_places)]
  return (
    <>
      <header>
        <h2>{wall.title} 本周之星</h2>
        <p>
          {wall.from} 至 {wall.to} · 共{wall.given}颗星 · 姓名显示：{modes[wall.name_mode]}
        </p>
      </header>
      {wall.given === 0 && <Empty description="本周还没有公开的评星，评星后会自动出现在这里" />}
      <div className="star-wall-parts">
        <section aria-label="领奖台">
          <ol className="star-podium">
            {first.map((one, at) => (
              <li key={`${one.rank}-${at}`} data-rank={one.rank}>
                <StarBadge icon="trophy" colour="gold" big />
                <b>{one.shown_name}</b>
                <small>{one.dept_name}</small>
                <span>{one.milli / points}分</span>
              </li>
            ))}
          </ol>
          <ol className="star-rest">
            {rest.map((one, at) => (
              <li key={`${one.rank}-${at}`}>
                <i>{one.rank}</i>
                <b>{one.shown_name}</b>
                <small>{one.dept_name}</small>
                <span>{one.milli / points}分</span>
              </li>
            ))}
          </ol>
        </section>
        <section aria-label="最新评星">
          <h3>最新评星</h3>
          <ul className="star-river" aria-live="polite">
            {wall.river.map(one => (
              <li key={one.record_id}>
                <StarBadge icon={one.icon} colour={one.colour} />
                <b>{one.shown_name}</b>
                <small>{one.dept_name}</small>
                <Tag>
                  {one.star_name} {pointsText(one.milli)}
                </Tag>
                <time>{instantText(one.happened_at).slice(5)}</time>
              </li>
            ))}
          </ul>
        </section>
        <section aria-label="班级对比">
          <h3>班级人均分</h3>
          <ul className="star-classes">
            {wall.classes.map(one => (
              <li key={one.dept_id}>
                <span>{one.dept_name}</span>
                <Progress
                  percent={Math.round((one.mean_milli / most) * 100)}
                  showInfo={false}
                  aria-label={`${one.dept_name}人均${one.mean_milli / points}分`}
                />
                <b>{one.mean_milli / points}</b>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}
