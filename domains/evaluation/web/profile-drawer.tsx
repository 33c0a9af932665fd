import { level_names, pointsText, record_names, recordApi } from '@campus/evaluation/contract'
import type { Profile } from '@campus/evaluation/contract'
import { AppDrawer, instantText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Empty, Tag, Timeline } from 'antd'
import type { ReactNode } from 'react'
import { Radar } from './radar.tsx'
import { StarBadge } from './star-badge.tsx'

const names: Readonly<Record<number, string>> = record_names
const least_axes = 3

/** 成长档案: radar against the class, levels, timeline (chapter 55 §5 person page). */
export function ProfileDrawer({ user_id, onClose }: { user_id: string; onClose: () => void }): ReactNode {
  const profile = useCall(recordApi.profile, { user_id })
  return (
    <AppDrawer size={560} title={profile.data ? `${profile.data.user_name} · ${profile.data.dept_name}` : '成长档案'} onClose={onClose}>
      <Loaded query={profile}>{loaded => <Body profile={loaded} />}</Loaded>
    </AppDrawer>
  )
}

function Body({ profile }: { profile: Profile }): ReactNode {
  if (profile.timeline.length === 0) return <Empty description="还没有评价记录" />
  return (
    <>
      <div className="star-profile">
        {profile.radar.length >= least_axes && <Radar axes={profile.radar} />}
        <table aria-label="各维度分值">
          <thead>
            <tr>
              <th>维度</th>
              <th>本人</th>
              <th>班级平均</th>
            </tr>
          </thead>
          <tbody>
            {profile.radar.map(one => (
              <tr key={one.dimension}>
                <td>{one.dimension}</td>
                <td>{one.milli / 1000}</td>
                <td>{one.class_milli / 1000}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>合计</td>
              <td>{profile.total_milli / 1000}</td>
              <td>—</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p>
        {profile.levels.map(one => (
          <Tag key={one.star_name}>
            <StarBadge icon={one.icon} colour={one.colour} /> {one.star_name} {levelText(one)}
          </Tag>
        ))}
      </p>
      <Timeline
        items={profile.timeline.map(one => ({ key: one.record_id, color: one.milli < 0 ? 'red' : 'green', content: <Line one={one} /> }))}
      />
    </>
  )
}

/** 金（2026-10-12获得） 现在12.5分: what was reached stays with its day, the score of today may have fallen. */
function levelText({ got, level, milli }: Profile['levels'][number]): string {
  const best = got.at(-1)
  const name = best ? `${level_names[best.level]}（${best.valid_from}获得）` : level_names[level]
  return `${name} 现在${milli / 1000}分`
}

function Line({ one }: { one: Profile['timeline'][number] }): ReactNode {
  const is_gone = one.state >= 4
  return (
    <>
      <b>
        {is_gone ? (
          <del>
            {one.dimension}/{one.star_name} {pointsText(one.milli)}
          </del>
        ) : (
          <>
            {one.dimension}/{one.star_name} {pointsText(one.milli)}
          </>
        )}
      </b>{' '}
      {one.state !== 1 && <Tag>{names[one.state]}</Tag>}
      <br />
      {one.reason}
      <br />
      <small>
        {instantText(one.happened_at)} {one.giver_name}
      </small>
    </>
  )
}
