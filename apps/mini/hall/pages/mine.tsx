import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { isElder, setElder } from '../../shell/elder.ts'
import { Card } from '../../shell/parts.tsx'
import type { HallPage } from '../page.ts'

const staff = 2

/** 我的: what the school knows me as, large type, and the way out. */
export function Mine({ live, call, say, go, onLeft }: HallPage & { onLeft: () => void }): ReactNode {
  const { me, school } = live.told
  const [elder, setIt] = useState(() => isElder(me.user_id))
  const [leaving, setLeaving] = useState(false)
  const turn = (on: boolean) => {
    setElder(me.user_id, on)
    setIt(on)
  }
  const leave = async () => {
    setLeaving(true)
    try {
      await call('leave', {})
      onLeft()
    } catch (cause) {
      say(sentenceOf(cause))
      setLeaving(false)
    }
  }
  const facts: readonly [name: string, value: string | null][] = [['姓名', me.user_name], ['编号', me.user_no], ['身份', me.role_name], ['部门', me.dept_name], ['学校', school.school_name]]
  return (
    <>
      <Card title="我的资料">
        <dl className="facts">
          {facts.map(([name, value]) => value !== null && value !== '' && <div key={name}><dt>{name === '学校' && school.school_type === 2 ? '单位' : name}</dt><dd>{value}</dd></div>)}
        </dl>
      </Card>
      <Services live={live} go={go} />
      <Card title="显示">
        <label className="switch">
          <input type="checkbox" checked={elder} onChange={event => turn(event.target.checked)} />
          <span>长辈版（大字）</span>
        </label>
      </Card>
      <button type="button" className="button button-last" disabled={leaving} onClick={() => void leave()}>退出登录</button>
    </>
  )
}

/** Pages of the hall that have no tab of their own. */
function Services({ live: { told: { me, school } }, go }: Pick<HallPage, 'live' | 'go'>): ReactNode {
  return (
    <Card title="服务">
      <ul className="lines">
        <li><button type="button" className="line" aria-label="选课" onClick={() => go('elective')}><span
          className="words"><b>选课</b><small>选科、选修课和社团，查看结果</small></span></button></li>
        {school.school_type === 1 && me.user_kind === staff && (
          <li>
            <button type="button" className="line" aria-label="我的监考" onClick={() => go('duties')}>
              <span className="words"><b>我的监考</b><small>监考场次、考生签到、换班</small></span>
            </button>
          </li>
        )}
        {school.school_type === 1 && me.user_kind !== staff && (
          <li>
            <button type="button" className="line" aria-label="我的成绩" onClick={() => go('scores')}>
              <span className="words"><b>我的成绩</b><small>已公布的考试成绩，对成绩有疑问时申请查分</small></span>
            </button>
          </li>
        )}
        <li><button type="button" className="line" aria-label="课表" onClick={() => go('timetable')}><span
          className="words"><b>课表</b><small>每天实际上的课，代课、调课随时更新</small></span></button></li>
        <li><button type="button" className="line" aria-label="校园卡" onClick={() =>
          go('cards')}><span className="words"><b>校园卡</b><small>查看卡片，丢失时立即挂失</small></span></button></li>
        <li><button type="button" className="line" aria-label="人脸授权" onClick={() =>
          go('faces')}><span className="words"><b>人脸授权</b><small>同意、不同意或撤回人脸信息授权</small></span></button></li>
      </ul>
    </Card>
  )
}
